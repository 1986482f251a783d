import { useEffect, useState } from 'react';
import { type Draft, readDraft, removeDraft, writeDraft } from '../drafts.js';
import type { Content } from '../types.js';

const FIELDS = ['name', 'subject', 'html', 'text'] as const;

export interface DraftState {
  content: Content;
  /** What the changes were made to. */
  base: Content;
  /** Fields that differ from what they were when the editing began. */
  changes: Partial<Content>;
  isChanged: boolean;
  /** Whether someone else changed the template while there are unsaved changes. */
  hasConflict: boolean;
  change(some: Partial<Content>): void;
  /** Continues from this content of the server; unsaved changes remain. */
  rebase(saved: Content): void;
  /** Replaces unsaved changes with this content of the server. */
  discard(saved: Content): void;
}

/** Holds the edited content of a template, next to the content that the server has. */
export function useDraft(id: string, saved: Content): DraftState {
  const [draft, setDraft] = useState<Draft>(() => readDraft(id) ?? { base: saved, content: saved });
  const { base, content } = draft;
  const isChanged = !isSame(content, base);
  const isSuperseded = !isSame(saved, base);
  const hasConflict = isChanged && isSuperseded && !isSame(content, saved);
  // Without unsaved changes, the editor shows what the server has.
  if (isSuperseded && !hasConflict) setDraft({ base: saved, content: saved });
  useEffect(() => {
    if (isChanged) writeDraft(id, draft);
    else removeDraft(id);
  }, [id, draft, isChanged]);
  useEffect(() => {
    if (!isChanged) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isChanged]);
  return {
    content,
    base,
    changes: changesOf(content, base),
    isChanged,
    hasConflict,
    change: (some) => setDraft((before) => ({ ...before, content: { ...before.content, ...some } })),
    rebase: (base) => setDraft((before) => ({ ...before, base })),
    discard: (saved) => setDraft({ base: saved, content: saved }),
  };
}

function changesOf(content: Content, base: Content): Partial<Content> {
  return Object.fromEntries(
    FIELDS.flatMap((field) => (content[field] === base[field] ? [] : [[field, content[field]]])),
  );
}

export function isSame(one: Content, other: Content): boolean {
  return FIELDS.every((field) => one[field] === other[field]);
}
