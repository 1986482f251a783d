import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import type { Client } from '../../../client/client.js';
import { useInbox } from '../../api/calls.js';
import { type Attachment, type Draft, draftOf } from './draft.js';
import { base64Of } from './message.js';

interface Opened {
  /** The part of the address that the draft was made of. */
  key: string;
  draft: Draft;
  attachments: readonly Attachment[];
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
  const attachments = [];
  for (const { index, filename, content_type } of email.attachments) {
    const bytes = await bytesOf(client.stream('emails.attachment', { params: { id, index: String(index) } }));
    attachments.push({
      filename: filename || `attachment-${index + 1}`,
      content: base64Of(bytes),
      contentType: content_type,
    });
  }
  return { draft: draftOf(email), attachments };
}

/** Returns all bytes of a response. */
async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: BlobPart[] = [];
  for await (const chunk of chunks) parts.push(chunk as Uint8Array<ArrayBuffer>);
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
