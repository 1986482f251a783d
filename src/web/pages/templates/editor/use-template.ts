import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useInbox } from '../../../api/calls.js';
import type { Content } from '../types.js';
import { isSame } from './use-draft.js';

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
export function useSave(id: string) {
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
