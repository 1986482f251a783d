import type { Client } from '../../../client/client.js';
import { eventTypes } from '../../../contract/vocabulary/event-types.js';
import { newWebhookSecret } from '../../data-dir/data-dir.js';
import { CommandError } from '../../errors/exit-codes.js';
import type { ListenOptions } from './options.js';
import { WebhookReceiver } from './receiver.js';
import type { ListenAttempt, ListenLine, ListenSource } from './source.js';

/**
 * Listens to a remote service through its public API only. It creates a webhook with a new secret for the duration of
 * the command, and a local receiver that the public URL leads to.
 */
export class RemoteListenSource implements ListenSource {
  readonly #secret = newWebhookSecret();
  readonly #receiver: WebhookReceiver;

  constructor(
    private readonly client: Client,
    private readonly baseUrl: string,
    private readonly options: ListenOptions & { publicUrl: string },
  ) {
    const { port, forwardTo, headers, to } = options;
    this.#receiver = new WebhookReceiver({ port, secret: this.#secret, forwardTo, headers, to });
  }

  async *lines(signal: AbortSignal): AsyncGenerator<ListenLine> {
    const { publicUrl, forwardTo, events } = this.options;
    const receiver = await this.#receiver.start();
    // Starts before the webhook exists, so that no event is missed.
    if (signal.aborted) return;
    const lines = this.#receiver.lines(signal);
    const body = { url: publicUrl, events: events ?? [...eventTypes], secret: this.#secret };
    // The signal does not cancel this request, because the response contains the id of the webhook to delete.
    const { id } = await this.client.call('webhooks.create', { body });
    try {
      yield { event: 'ready', webhook_id: id, url: forwardTo, secret: this.#secret, public_url: publicUrl, receiver };
      yield* lines;
    } finally {
      await this.#remove(id);
    }
  }

  replay(attempt: ListenAttempt): Promise<void> {
    return this.#receiver.replay(attempt);
  }

  close(): Promise<void> {
    return this.#receiver.close();
  }

  async #remove(id: string): Promise<void> {
    try {
      await this.client.call('webhooks.delete', { params: { id } });
    } catch (error) {
      throw new CommandError(
        `Cannot delete webhook ${id} on ${this.baseUrl}: ${(error as Error).message}`,
        `Delete it with: svc webhooks delete ${id}`,
      );
    }
  }
}
