import { SignInRequired } from '../api/session.js';
import { isTabStored, tabStorage } from '../api/tab-storage.js';

/** Reloads the page once where a sign-in lacks nothing else. Without a storage, it would reload forever. */

const RELOADED = 'svc-inbox-reloaded';

/** Returns whether a sign-in failed only because a browser sends no cookie after a link from another site. */
export function needsReload(failure: unknown): boolean {
  const isMissing = failure instanceof SignInRequired && failure.method === 'reload';
  return isMissing && isTabStored && !tabStorage.getItem(RELOADED);
}

/** Allows the next reload, after a sign-in. */
export function allowReload(): void {
  tabStorage.removeItem(RELOADED);
}

export function reloadOnce(): void {
  tabStorage.setItem(RELOADED, 'yes');
  location.reload();
}

/** Keeps unsaved changes while the tab is open, so that leaving a page loses none. Tabs do not share them. */

export interface Drafts<Draft> {
  read(id: string): Draft | undefined;
  /** Returns whether the browser has room for the draft. Without room, nothing is kept. */
  write(id: string, draft: Draft): boolean;
  remove(id: string): void;
}

/** @param kind what the drafts are of, such as `template` */
export function draftsOf<Draft>(kind: string): Drafts<Draft> {
  const keyOf = (id: string) => `svc-${kind}-draft ${id}`;
  const remove = (id: string) => {
    try {
      sessionStorage.removeItem(keyOf(id));
    } catch {
      // Then it kept none.
    }
  };
  return {
    read(id) {
      try {
        return (JSON.parse(sessionStorage.getItem(keyOf(id)) ?? 'null') as Draft | null) ?? undefined;
      } catch {
        return undefined;
      }
    },
    write(id, draft) {
      try {
        sessionStorage.setItem(keyOf(id), JSON.stringify(draft));
        return true;
      } catch {
        remove(id);
        return false;
      }
    },
    remove,
  };
}
