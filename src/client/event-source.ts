import { createParser } from 'eventsource-parser';
import { STREAM_ENDED } from '../contract/vocabulary/routes.js';
import type { Client } from './client.js';
import { ApiFailure } from './failures.js';

/** Status of a response to a cursor after which the server has removed events. */
export const EVENTS_REMOVED = 410;

/** One server-sent event. */
export interface ServerSentEvent {
  id: string | undefined;
  event: string;
  data: string;
}

/** Splits a byte stream into server-sent events, as section 9.2.6 of the HTML standard defines; comments are dropped. */
export async function* readServerSentEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  for await (const item of readServerSentItems(chunks)) {
    if (item !== 'comment') yield item;
  }
}

/** Yields the events up to the first comment, which the local server sends when it has no more events for now. */
export async function* readEventsSoFar(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  for await (const item of readServerSentItems(chunks)) {
    if (item === 'comment') return;
    yield item;
  }
}

/**
 * Yields the events, and `comment` for each comment.
 * @throws ApiFailure when the server ends the stream because the client may no longer read it.
 */
export async function* readServerSentItems(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<ServerSentEvent | 'comment'> {
  const decoder = new TextDecoder();
  let items: (ServerSentEvent | 'comment')[] = [];
  const parser = createParser({
    onEvent: ({ id, event = 'message', data }) => items.push({ id, event, data }),
    onComment: () => items.push('comment'),
  });
  for await (const chunk of chunks) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    const found = items;
    items = [];
    for (const item of found) {
      if (item !== 'comment' && item.event === STREAM_ENDED) throw endOf(item);
      yield item;
    }
  }
}

/**
 * Reads the events so far after a sequence number. If the server's limits have removed some of them, it reads those that
 * are left.
 */
export async function* eventsSoFarAfter(
  client: Pick<Client, 'stream'>,
  after: number,
): AsyncGenerator<ServerSentEvent> {
  const read = (seq: number) => readEventsSoFar(client.stream('events.stream', { query: { after: seq } }));
  try {
    yield* read(after);
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status !== EVENTS_REMOVED) throw error;
    for await (const event of read(0)) if (Number(event.id) > after) yield event;
  }
}

function endOf({ data }: ServerSentEvent): ApiFailure {
  const { code, message, status, hint } = JSON.parse(data) as Pick<ApiFailure, 'code' | 'message' | 'status' | 'hint'>;
  return new ApiFailure(code, message, status, undefined, hint, undefined);
}
