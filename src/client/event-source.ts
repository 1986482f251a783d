import { createParser } from 'eventsource-parser';

/** One server-sent event. */
export interface ServerSentEvent {
  id: string | undefined;
  event: string;
  data: string;
}

/** A comment of an event stream, which no event carries. */
const COMMENT = Symbol('comment');

/** Splits a byte stream into server-sent events, as section 9.2.6 of the HTML standard defines; comments are dropped. */
export async function* readServerSentEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  for await (const item of readItems(chunks)) {
    if (item !== COMMENT) yield item;
  }
}

/** Yields the events up to the first comment, which the local server sends when it has no more events for now. */
export async function* readEventsSoFar(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  for await (const item of readItems(chunks)) {
    if (item === COMMENT) return;
    yield item;
  }
}

async function* readItems(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent | typeof COMMENT> {
  const decoder = new TextDecoder();
  let items: (ServerSentEvent | typeof COMMENT)[] = [];
  const parser = createParser({
    onEvent: ({ id, event = 'message', data }) => items.push({ id, event, data }),
    onComment: () => items.push(COMMENT),
  });
  for await (const chunk of chunks) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    const found = items;
    items = [];
    yield* found;
  }
}
