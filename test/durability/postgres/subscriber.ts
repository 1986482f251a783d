import type { Ready } from '../../support/cli/binary.js';

/** An event as a subscriber hears of it. */
export interface Heard {
  seq: number;
  id: string;
}

export interface Subscriber {
  /** Everything that was heard, once the subscription was ended. */
  heard: Promise<Heard[]>;
  /** Resolves when the event with this number was heard. */
  until(seq: number): Promise<void>;
  /** How often it continued at a server. */
  resumed(): number;
}

/** Follows the event stream from its beginning. When a server is gone, continues at any after the last event. */
export function subscribe(server: () => Promise<Pick<Ready, 'base_url' | 'api_key'>>, signal: AbortSignal): Subscriber {
  const heard: Heard[] = [];
  let connections = 0;
  let arrived = () => {};

  async function follow(): Promise<Heard[]> {
    while (!signal.aborted) {
      const { base_url, api_key } = await server();
      const address = new URL(`/_svc/events?after=${heard.at(-1)?.seq ?? 0}`, base_url);
      try {
        const response = await fetch(address, { headers: { authorization: `Bearer ${api_key}` }, signal });
        connections += 1;
        for await (const { id, data } of messagesOf(response.body!)) {
          if (id === undefined) continue;
          heard.push({ seq: id, id: (JSON.parse(data) as { id: string }).id });
          arrived();
        }
      } catch {
        // The server was killed.
      }
    }
    return heard;
  }

  return {
    heard: follow(),
    resumed: () => connections - 1,
    async until(seq) {
      while ((heard.at(-1)?.seq ?? 0) < seq) {
        await new Promise<void>((resolve) => {
          arrived = resolve;
        });
      }
    },
  };
}

/** Parses server-sent events. The last one is incomplete if the connection is cut. */
async function* messagesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<{ id: number | undefined; data: string }> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const messages = text.split('\n\n');
    text = messages.pop() ?? '';
    for (const message of messages) {
      const fields = new Map(message.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]));
      const id = fields.get('id');
      yield { id: id === undefined ? undefined : Number(id), data: fields.get('data') ?? '' };
    }
  }
}
