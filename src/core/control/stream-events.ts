import { type EventType, eventTypes } from '../../contract/vocabulary/event-types.js';
import { tailEvents } from '../streams/event-tail.js';
import { heartbeat, serverSentComment, serverSentEvent } from '../streams/server-sent-events.js';
import type { ControlHandler } from './context.js';

export const streamEvents: ControlHandler<'events.stream'> = async ({ query }, { store, clock, signal }) => {
  const after = query.after ?? (await store.read.events.lastSeq());
  const types = new Set<EventType>(query.types ?? eventTypes);
  async function* body() {
    for await (const event of tailEvents(store, after, { signal, idle: heartbeat(clock) })) {
      if (!event) yield serverSentComment('ready');
      else if (types.has(event.type) && (!query.email_id || query.email_id === event.emailId)) {
        yield serverSentEvent(event.payload, { id: event.seq, event: event.type });
      }
    }
  }
  return { body: body() };
};
