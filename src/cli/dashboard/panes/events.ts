import type { Client } from '../../../client/client.js';
import { readEventsSoFar, type ServerSentEvent } from '../../../client/event-source.js';
import { indented } from '../../../contract/vocabulary/helpers/indent-json.js';
import type { EventEnvelope } from '../../../contract/webhook-events.js';
import { localTimeOfDay } from '../../output/local-time.js';
import { safeText } from '../../output/text.js';
import { type Pane, type Row, type Tone, wordsOf } from './pane.js';

export const events: Pane = {
  title: 'Events',
  item: 'Event',
  columns: [
    { title: 'EVENT', width: 17, sort: true },
    { title: 'ABOUT', width: 8, grow: 1, sort: true },
    { title: 'TIME', width: 8, from: 44 },
    { title: 'ID', width: 30, from: 110 },
  ],
  empty: 'No events yet.',
  elsewhere: 'emails inspect ID',
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
  const event = JSON.parse(data) as EventEnvelope;
  const { id, type, created_at } = event;
  const tone: Tone = bad.has(type) ? 'bad' : good.has(type) ? 'good' : 'plain';
  return {
    id,
    cells: [{ text: type, tone }, subjectOf(event.data), localTimeOfDay(created_at), id],
    words: wordsOf(data),
    open: async () => safeText(indented(data)),
    replay: { event_id: id },
  };
}

/** Returns what an event is about: its recipient, or the name of another resource. */
function subjectOf(data: Record<string, unknown>): string {
  const values = ['to', 'name', 'domain', 'subject', 'email_id', 'template_id'].map((field) => data[field]);
  return String(values.find((value) => typeof value === 'string' && value !== '') ?? '');
}
