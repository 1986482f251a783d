import { useLocation } from 'wouter';
import { useControlChange, useServiceChange } from '../../api/calls.js';
import { useServiceClock } from '../../api/service-clock.js';
import { inWordsOfForm, messageOf, requestOf } from './draft.js';
import { composeMessage } from './message.js';
import type { DraftState } from './use-draft.js';

/** Returns a function that sends the draft, forgets it, and opens the email. */
export function useSend({ draft, attachments, forget }: DraftState) {
  const [, navigate] = useLocation();
  const clock = useServiceClock();
  const request = useServiceChange('emails.send', 'summary');
  const capture = useControlChange('emails.capture', 'summary');
  return async () => {
    const now = clock?.now() ?? Date.now();
    let sent: { id: string };
    if (draft.transport === 'api') {
      sent = await request.mutateAsync({ body: requestOf(draft, attachments, now) }).catch((error: unknown) => {
        throw inWordsOfForm(error, draft);
      });
    } else {
      const { message, envelope } = messageOf(draft, attachments);
      const bytes = composeMessage(message, new Date(now), crypto.getRandomValues(new Uint32Array(4)).join('.'));
      sent = await capture.mutateAsync({ query: envelope, body: repeatable(bytes) });
    }
    forget();
    navigate(`/emails/${sent.id}`);
  };
}

/** Returns a body that can be sent again, after a call that had to sign in. */
function repeatable(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  return {
    async *[Symbol.asyncIterator]() {
      yield bytes;
    },
  };
}
