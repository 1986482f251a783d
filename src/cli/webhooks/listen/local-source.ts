import type { Client } from '../../../client/client.js';
import { CommandError } from '../../errors/exit-codes.js';
import type { ListenOptions } from './options.js';
import { listenForAttempts } from './session.js';
import type { ListenAttempt, ListenLine, ListenSource } from './source.js';

/** Listens to a local server, which posts to the receiver itself and reports each attempt. */
export class LocalListenSource implements ListenSource {
  constructor(
    /** Called for every connection, because a restarted server may have another address. */
    private readonly connect: () => Promise<Client>,
    private readonly options: ListenOptions,
    private readonly finish: () => Promise<void>,
  ) {}

  lines(signal: AbortSignal): AsyncIterable<ListenLine> {
    const { forwardTo, events, to, headers } = this.options;
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
