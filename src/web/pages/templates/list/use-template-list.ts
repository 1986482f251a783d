import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { PAGE_SIZE_MAX } from '../../../../contract/vocabulary/limits.js';
import { useInbox, useService } from '../../../api/calls.js';
import { useThrottled } from '../../../api/delayed.js';

/** Milliseconds between reads of more than one page, because each change of a template calls for one. */
const PAUSE_MS = 2_000;

export interface ListedTemplate {
  id: string;
  name: string;
  subject: string;
  updated_at: string;
}

/**
 * Reads all templates, newest first, without their content. The server cannot search them, so a search needs them all.
 * The newest ones are read again with each change, and the others at most every two seconds.
 */
export function useTemplateList() {
  const newest = useService('templates.list', { query: { limit: PAGE_SIZE_MAX, offset: 0 } });
  const hasMore = newest.data?.pagination.has_more ?? false;
  const all = useAllTemplates(useThrottled(newest.dataUpdatedAt, PAUSE_MS), hasMore);
  const first = newest.data?.templates.map(summaryOf);
  return {
    data: hasMore ? all.data && first && merged(first, all.data) : first,
    error: newest.error ?? all.error,
    refetch: () => Promise.all([newest.refetch(), hasMore && all.refetch()]),
  };
}

/** @param version the time of the read for which all are read again; 0 before the first */
function useAllTemplates(version: number, enabled: boolean) {
  const { client } = useInbox();
  return useQuery({
    // Not of the group `templates`, which each change invalidates.
    queryKey: ['all templates', version],
    queryFn: async ({ signal }) => {
      const found: ListedTemplate[] = [];
      for (;;) {
        signal.throwIfAborted();
        const query = { limit: PAGE_SIZE_MAX, offset: found.length };
        const { templates, pagination } = await client.call('templates.list', { query });
        found.push(...templates.map(summaryOf));
        if (templates.length === 0 || !pagination.has_more) return found;
      }
    },
    enabled: enabled && version > 0,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
}

function summaryOf({ id, name, subject, updated_at }: ListedTemplate): ListedTemplate {
  return { id, name, subject, updated_at };
}

/** Returns the newest templates, and after them those that were read before. */
function merged(newest: readonly ListedTemplate[], all: readonly ListedTemplate[]): ListedTemplate[] {
  const ids = new Set(newest.map(({ id }) => id));
  return [...newest, ...all.filter(({ id }) => !ids.has(id))];
}
