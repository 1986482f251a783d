import type { Content } from './types.js';

/** Keeps unsaved changes while the tab is open, so that leaving the editor loses none. Tabs do not share them. */

export interface Draft {
  /** What the changes were made to. */
  base: Content;
  content: Content;
}

const PREFIX = 'svc-template-draft ';

export function readDraft(id: string): Draft | undefined {
  try {
    const draft = JSON.parse(sessionStorage.getItem(PREFIX + id) ?? 'null') as Draft | null;
    return draft ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a draft, unless the browser has no room for it. */
export function writeDraft(id: string, draft: Draft): void {
  try {
    sessionStorage.setItem(PREFIX + id, JSON.stringify(draft));
  } catch {
    removeDraft(id);
  }
}

export function removeDraft(id: string): void {
  try {
    sessionStorage.removeItem(PREFIX + id);
  } catch {
    // Then it kept none.
  }
}

export function hasDraft(id: string): boolean {
  return readDraft(id) !== undefined;
}
