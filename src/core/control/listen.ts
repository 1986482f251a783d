import { ServiceError } from '../../contract/vocabulary/errors.js';
import { eventTypes } from '../../contract/vocabulary/event-types.js';
import { HEADER_LINE_FORM, readHeaderLine } from '../../contract/vocabulary/parsers/header-line.js';
import { reportOf, streamAttempts } from '../delivery/ephemeral-subscriptions.js';
import { checkWebhookHost } from '../resources/webhook-url.js';
import { eventStream, heartbeat, serverSentComment, serverSentEvent } from '../streams/server-sent-events.js';
import type { ControlHandler } from './context.js';
import { webhookSecretFor } from './webhook-secret.js';

/** Creates a temporary webhook and streams its attempts until the client disconnects. */
export const listenToWebhooks: ControlHandler<'webhooks.listen'> = async ({ query }, context) => {
  checkWebhookHost(query.forward_to, context, 'forward_to', 'bad_request');
  const { clock, signal, stopping, feed, start } = context;
  const options = { signal, stopping, start, idle: heartbeat(clock), onSubscribed: () => context.catchUp() };
  const request = {
    url: query.forward_to,
    events: query.events ?? [...eventTypes],
    recipientPattern: query.to ?? null,
    headers: Object.fromEntries((query.header ?? []).map(readHeader)),
    resume: query.resume,
    after: query.after,
    instance: query.instance,
    secret: webhookSecretFor(context),
  };
  async function* body() {
    for await (const item of streamAttempts(context, feed, request, options)) {
      if (!item) yield serverSentComment('idle');
      else if ('missed' in item) yield serverSentEvent(JSON.stringify({ count: item.missed }), { event: 'missed' });
      else if ('attempt' in item) yield serverSentEvent(JSON.stringify(reportOf(item)), { event: 'attempt' });
      else {
        const { id, url, secret, events } = item;
        yield serverSentEvent(JSON.stringify({ webhook_id: id, url, secret, events, instance: start.instance }), {
          event: 'ready',
        });
      }
    }
  }
  return eventStream(body(), signal);
};

function readHeader(line: string): [name: string, value: string] {
  const header = readHeaderLine(line);
  if (header) return header;
  const message = `must be ${HEADER_LINE_FORM}`;
  throw new ServiceError('bad_request', `header: ${message}`, [{ path: 'header', message }]);
}
