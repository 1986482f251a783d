import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useInbox } from '../../../api/calls.js';
import type { Content, DraftState } from '../drafts.js';
import { isSame } from './use-draft.js';

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

const keyOf = (id: string) => ['templates', 'template', id];

export function useTemplate(id: string) {
  const { client } = useInbox();
  return useQuery({ queryKey: keyOf(id), queryFn: () => client.call('templates.get', { params: { id } }) });
}

/** Someone else changed the template. The editor shows how to continue. */
class ChangedElsewhere extends Error {
  override message = 'Not saved: this template was changed elsewhere.';
}

/** Returns a function that saves changes, unless the server has something else than `base`. */
function useSave(id: string) {
  const { client } = useInbox();
  const queries = useQueryClient();
  return async (changes: Partial<Content>, base: Content): Promise<Content> => {
    const params = { id };
    const current = await client.call('templates.get', { params });
    const isCurrent = isSame(current, base);
    const saved = isCurrent ? await client.call('templates.update', { params, body: changes }) : current;
    // A read that began before would bring back the old content.
    await queries.cancelQueries({ queryKey: keyOf(id) });
    queries.setQueryData(keyOf(id), saved);
    if (!isCurrent) throw new ChangedElsewhere();
    return saved;
  };
}
