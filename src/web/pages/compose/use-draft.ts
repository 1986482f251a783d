import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import type { Client } from '../../../client/client.js';
import { type AttachmentInput, readAttachments } from '../../api/attachments.js';
import { useInbox } from '../../api/calls.js';
import { type Draft, draftOf } from './draft.js';

interface Opened {
  /** The part of the address that the draft was made of. */
  key: string;
  draft: Draft;
  attachments: readonly AttachmentInput[];
}

/** Returns the draft of the address: that of the email `from`, or an empty one. */
export function useDraft(): { opened: Opened | undefined; error: unknown; retry(): void } {
  const { client } = useInbox();
  const id = useSearchParams()[0].get('from') ?? '';
  const { data, error, refetch } = useQuery({
    // Not of the group `emails`: an event of the email must not replace what the user has changed.
    queryKey: ['draft', id],
    queryFn: () => (id === '' ? EMPTY : readDraft(client, id)),
  });
  return { opened: data && { key: id, ...data }, error, retry: () => void refetch() };
}

const EMPTY = { draft: { from: 'shop@example.test' }, attachments: [] };

async function readDraft(client: Client, id: string): Promise<Omit<Opened, 'key'>> {
  const email = await client.control('emails.captured', { params: { id } });
  return { draft: draftOf(email), attachments: await readAttachments(client, id, email.attachments) };
}
