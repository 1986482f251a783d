import { useQuery } from '@tanstack/react-query';
import type { ControlOperations } from '../../../client/operations.js';
import { CALL_MS } from '../../../client/time-limit.js';
import { useInbox } from '../../api/calls.js';
import { untilExpiry } from '../../api/signed-urls.js';

type Result<Name extends keyof ControlOperations> = ControlOperations[Name]['result'];

/** Everything that the tabs show of an email. */
export type EmailDetails = Omit<Result<'emails.inspect'>, 'warnings' | 'attachments' | 'recipients'> &
  Omit<Result<'emails.captured'>, 'warnings' | 'attachments' | 'recipients'> &
  Pick<Result<'emails.inspect'>, 'attachments' | 'recipients'>;

/** Properties of every tab. */
export interface TabProps {
  email: EmailDetails;
  /** Takes the address of the HTML that a tab shows in a frame, which the inbox cannot print as a whole. */
  onFrame?: ((url: string | undefined) => void) | undefined;
}

/** Names of the kinds of links. */
export const LINK_KINDS = {
  verify: 'Verify',
  reset: 'Reset password',
  magic: 'Sign in',
  invite: 'Accept invitation',
  unsubscribe: 'Unsubscribe',
  other: 'Link',
} as const;

/**
 * Returns the URLs of an email's content for frames and downloads. They do not belong to the group of emails: events
 * of emails would renew them, and with them the frames.
 */
export function useContentUrls(id: string) {
  const { client } = useInbox();
  return useQuery({
    queryKey: ['inbox', 'urls', id],
    queryFn: ({ signal }) => client.control('inbox.urls', { params: { id } }, { signal, timeoutMs: CALL_MS }),
    ...untilExpiry,
  });
}
