import { useQuery } from '@tanstack/react-query';
import { useInbox } from '../../../api/calls.js';

/** Maximum that the server returns at once. */
const PAGE = 100;

export interface ListedTemplate {
  id: string;
  name: string;
  subject: string;
  updated_at: string;
}

/** Reads all templates, without their content. The server cannot search them, so a search needs them all. */
export function useTemplateList() {
  const { client } = useInbox();
  return useQuery({
    queryKey: ['templates', 'list'],
    queryFn: async () => {
      const found: ListedTemplate[] = [];
      for (;;) {
        const query = { limit: PAGE, offset: found.length };
        const { templates, pagination } = await client.call('templates.list', { query });
        found.push(...templates.map(({ id, name, subject, updated_at }) => ({ id, name, subject, updated_at })));
        if (templates.length === 0 || found.length >= pagination.total) return found;
      }
    },
  });
}
