import { useRef, useState } from 'react';
import type { DraftState } from './use-draft.js';
import { useSave } from './use-template.js';

/** Returns the action that saves the draft, and why it failed. */
export function useSaving(id: string, draft: DraftState) {
  const send = useSave(id);
  const running = useRef<Promise<void>>(undefined);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const write = async () => {
    const { base, changes } = draft.unsaved();
    if (Object.keys(changes).length === 0) return;
    setBusy(true);
    setError(undefined);
    try {
      draft.saved(await send(changes, base));
    } finally {
      setBusy(false);
    }
  };
  /** Saves after the save that is under way, if there is one. @throws the reason why the draft is not saved. */
  const saveOrThrow = (): Promise<void> => {
    const before = running.current?.catch(() => {}) ?? Promise.resolve();
    running.current = before.then(write);
    return running.current;
  };
  return { isBusy, error, saveOrThrow, save: () => saveOrThrow().catch(setError) };
}

export type Saving = ReturnType<typeof useSaving>;
