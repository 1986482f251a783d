import { useEffect, useRef, useState } from 'react';
import { type Content, type Draft, type DraftState, drafts } from '../drafts.js';

const FIELDS = ['name', 'subject', 'html', 'text'] as const;

interface State extends Draft {
  /** What the server has, as far as this page knows. */
  known: Content;
  /** The answer of the server that was taken over last. It may be older than the last save. */
  read: Content;
}

/** Holds the edited content of a template, next to the content that the server has. */
export function useDraft(id: string, read: Content): DraftState {
  const [drawn, setDrawn] = useState<State>(() => ({ ...(drafts.read(id) ?? unchanged(read)), known: read, read }));
  const latest = useRef(drawn);
  const set = (next: State) => {
    latest.current = next;
    setDrawn(next);
  };
  const state = drawn.read === read ? drawn : taken(drawn, read);
  if (state !== drawn) set(state);
  const { base, content, known } = state;
  const isChanged = !isSame(content, base);
  useKept(id, state, isChanged);
  const update = (change: (before: State) => Partial<State>) => set({ ...latest.current, ...change(latest.current) });
  return {
    content,
    name: base.name,
    isChanged,
    hasConflict: isChanged && !isSame(known, base) && !isSame(content, known),
    change: (some) => update(({ content }) => ({ content: { ...content, ...some } })),
    rebase: () => update(({ known }) => ({ base: known })),
    discard: () => update(({ known }) => unchanged(known)),
    unsaved: () => ({ base: latest.current.base, changes: changesOf(latest.current) }),
    saved: (content) => update(() => ({ base: content, known: content })),
  };
}

const unchanged = (content: Content): Draft => ({ base: content, content });

/** Takes over another answer of the server. Without unsaved changes, the editor shows what the server has. */
function taken(state: State, read: Content): State {
  const { base, content } = state;
  const hasOwn = !isSame(content, base) && !isSame(content, read);
  return { ...state, ...(!hasOwn && unchanged(read)), known: read, read };
}

/** Keeps unsaved changes, and asks before the tab is closed. */
function useKept(id: string, { base, content }: Draft, isChanged: boolean): void {
  useEffect(() => {
    if (isChanged) drafts.write(id, { base, content });
    else drafts.remove(id);
  }, [id, base, content, isChanged]);
  useEffect(() => {
    if (!isChanged) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isChanged]);
}

function changesOf({ content, base }: Draft): Partial<Content> {
  return Object.fromEntries(
    FIELDS.flatMap((field) => (content[field] === base[field] ? [] : [[field, content[field]]])),
  );
}

export function isSame(one: Content, other: Content): boolean {
  return FIELDS.every((field) => one[field] === other[field]);
}
