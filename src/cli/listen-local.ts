import type { Client } from '../client/client.js';
import { CommandError } from './exit-codes.js';
import type { ListenAttempt, ListenLine, ListenSource } from './listen-line.js';
import { listenForAttempts } from './listen-session.js';
import type { ListenWishes } from './listen-wishes.js';

/** Listens to a local server, which posts to the receiver by itself and tells of each attempt. */
export class LocalListening implements ListenSource {
  constructor(
    /** Asked each time: a server that was started anew may be at another address. */
    private readonly connect: () => Promise<Client>,
    private readonly wishes: ListenWishes,
    private readonly finish: () => Promise<void>,
  ) {}

  lines(signal: AbortSignal): AsyncIterable<ListenLine> {
    const { forwardTo, events, to, headers } = this.wishes;
    const header = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const query = { forward_to: forwardTo, events: events?.join(','), to, header };
    return listenForAttempts(this.connect, query, signal);
  }

  async replay({ delivery_id }: ListenAttempt): Promise<void> {
    if (delivery_id === null) throw new CommandError('This attempt has no delivery to replay.');
    const client = await this.connect();
    await client.control('deliveries.replay', { body: { delivery_id } });
  }

  close(): Promise<void> {
    return this.finish();
  }
}
