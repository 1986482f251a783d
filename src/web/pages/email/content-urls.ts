import { useQuery } from '@tanstack/react-query';
import { CALL_MS } from '../../../client/time-limit.js';
import { useInbox } from '../../api/calls.js';
import { untilExpiry } from '../../api/signed-urls.js';

/**
 * Returns the URLs of an email's content for frames and downloads. They are no part of the group of emails: events of
 * emails would renew them, and with them the frames.
 */
export function useContentUrls(id: string) {
  const { client } = useInbox();
  return useQuery({
    queryKey: ['inbox', 'urls', id],
    queryFn: ({ signal }) => client.control('inbox.urls', { params: { id } }, { signal, timeoutMs: CALL_MS }),
    ...untilExpiry,
  });
}
