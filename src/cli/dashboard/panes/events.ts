import type { Client } from '../../../client/client.js';
import { readEventsSoFar, type ServerSentEvent } from '../../../client/event-source.js';
import type { EventEnvelope } from '../../../contract/webhook-events.js';
import { safeText } from '../../output/text.js';
import { lineOfEvent } from '../../server/startup-message.js';
import { indented } from '../../webhooks/listen-view/indent-json.js';
import { type Pane, type Row, type Tone, wordsOf } from './pane.js';

export const events: Pane = {
  title: 'Events',
  empty: 'No events yet.',
  elsewhere: 'svc emails inspect ID',
  async read(client, limit) {
    const { last_event } = await client.control('info', {});
    const after = Math.max(0, last_event - limit);
    const found = last_event === 0 ? [] : await eventsBetween(client, after, last_event);
    return { rows: found.reverse().map(rowOf), total: undefined, more: after > 0 };
  },
};

/** Returns the events after one sequence number up to another, oldest first; fewer when some are deleted meanwhile. */
async function eventsBetween(client: Client, after: number, last: number): Promise<ServerSentEvent[]> {
  const found: ServerSentEvent[] = [];
  for await (const event of readEventsSoFar(client.stream('events.stream', { query: { after: String(after) } }))) {
    found.push(event);
    if (Number(event.id) >= last) break;
  }
  return found;
}

const bad = new Set<string>(['email.bounced', 'email.complained', 'email.dropped']);
const good = new Set<string>(['email.delivered', 'email.opened', 'email.clicked']);

function rowOf({ data }: ServerSentEvent): Row {
  const { id, type } = JSON.parse(data) as EventEnvelope;
  const tone: Tone = bad.has(type) ? 'bad' : good.has(type) ? 'good' : 'plain';
  return {
    id,
    tone,
    words: wordsOf(data),
    line: () => lineOfEvent(data).trimEnd(),
    open: async () => safeText(indented(data)),
    replay: { event_id: id },
  };
}
