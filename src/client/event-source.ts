/** One server-sent event. */
export interface ServerSentEvent {
  id: string | undefined;
  event: string;
  data: string;
}

/** Takes a byte stream apart into server-sent events, as the HTML standard's section 9.2.6 says; comments are dropped. */
export async function* readServerSentEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  for await (const block of readBlocks(chunks)) {
    const event = readBlock(block);
    if (event) yield event;
  }
}

/** The events up to the first comment, with which a stream of the local server says that there are no more for now. */
export async function* readEventsSoFar(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  for await (const block of readBlocks(chunks)) {
    const event = readBlock(block);
    if (!event) return;
    yield event;
  }
}

async function* readBlocks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    yield* blocks;
  }
}

function readBlock(block: string): ServerSentEvent | undefined {
  const fields: Record<string, string> = {};
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^([^:]+): ?(.*)$/.exec(line) ?? [];
    if (name) fields[name] = fields[name] === undefined ? value : `${fields[name]}\n${value}`;
  }
  return fields.data === undefined ? undefined : { id: fields.id, event: fields.event ?? 'message', data: fields.data };
}
