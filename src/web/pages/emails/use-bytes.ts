import { useQuery } from '@tanstack/react-query';
import { collect } from '../../../client/typed-calls.js';
import { useInbox } from '../../api/calls.js';

const BEGINNING_CHARACTERS = 20_000;

/** Returns the bytes of the raw message. They never change. */
export function useRawMessage(id: string) {
  const { client } = useInbox();
  return useQuery({
    queryKey: ['inbox', 'raw', id],
    queryFn: ({ signal }) => collect(client.stream('emails.raw', { params: { id } }, signal)),
  });
}

/** Returns the beginning of the text, which loads before the other parts of a large email. */
export function useTextBeginning(id: string, enabled: boolean) {
  const { client } = useInbox();
  return useQuery({
    queryKey: ['inbox', 'text', id],
    queryFn: async ({ signal }) => {
      const call = { params: { id }, query: { max_characters: String(BEGINNING_CHARACTERS) } };
      return new TextDecoder().decode(await collect(client.stream('emails.text', call, signal)));
    },
    enabled,
  });
}

/** Returns the decoded bytes of an attachment. */
export function useAttachment(id: string, index: number, enabled: boolean) {
  const { client } = useInbox();
  return useQuery({
    queryKey: ['inbox', 'attachment', id, index],
    queryFn: ({ signal }) =>
      collect(client.stream('emails.attachment', { params: { id, index: String(index) } }, signal)),
    enabled,
  });
}
