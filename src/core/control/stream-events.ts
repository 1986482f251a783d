import { type EventType, eventTypes } from '../../contract/vocabulary/event-types.js';
import type { StoredEvent } from '../model/deliveries.js';
import type { WebhookRecord } from '../model/resources.js';
import { compileText } from '../search/compile-text.js';
import { AttemptNotices } from '../streams/attempt-notices.js';
import { tailEvents } from '../streams/event-tail.js';
import { matchesWhenSearched } from '../streams/matching-emails.js';
import { eventStream, heartbeat, serverSentComment, serverSentEvent } from '../streams/server-sent-events.js';
import type { ControlHandler } from './context.js';

export const streamEvents: ControlHandler<'events.stream'> = async ({ query }, context) => {
  const { store, clock, signal, key } = context;
  const after = query.after ?? (await store.read.events.lastSeq());
  const types = new Set<EventType>(query.types ?? eventTypes);
  const search =
    query.search === undefined
      ? undefined
      : await compileText({ path: 'search', in: 'parameter' }, query.search, clock.now());
  const matches = async ({ type, emailId }: StoredEvent) => {
    if (!types.has(type) || (query.email_id && query.email_id !== emailId)) return false;
    if (search === undefined && key.workspace !== null) {
      return emailId !== null && (await store.read.emails.findWithoutBodies(emailId)) !== undefined;
    }
    return search === undefined || (emailId !== null && (await matchesWhenSearched(context, search, emailId, signal)));
  };
  async function* body() {
    const isOwn = (webhook: WebhookRecord) => key.workspace === null || key.workspace === webhook.workspace;
    const notices = query.attempts ? new AttemptNotices(context.feed, isOwn, heartbeat(clock)) : undefined;
    try {
      for await (const event of tailEvents(store, after, { signal, idle: notices?.idle ?? heartbeat(clock) })) {
        if (!event) yield notices?.take() ? serverSentEvent('{}', { event: 'attempts' }) : serverSentComment('ready');
        else if (await matches(event)) yield serverSentEvent(event.payload, { id: event.seq, event: event.type });
      }
    } finally {
      notices?.close();
    }
  }
  return eventStream(body(), signal);
};
