import { type Client, EARLIER_ATTEMPT } from '../../../client/client.js';
import { ApiFailure } from '../../../client/failures.js';
import { mayHaveBeenDone, UnconfirmedError } from '../../../client/writes.js';
import { eventTypes } from '../../../contract/vocabulary/event-types.js';
import { newWebhookSecret } from '../../data-dir/data-dir.js';
import { CommandError } from '../../errors/exit-codes.js';
import type { ListenOptions } from './options.js';
import { WebhookReceiver } from './receiver.js';
import type { ListenAttempt, ListenLine, ListenSource } from './source.js';

const NOT_FOUND = 404;

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
    /** Returns a command line for the same service. */
    private readonly command: (line: string) => string,
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
    // Where the list cannot be read, only the answer contains the id.
    const earlier = await this.#ids().catch(() => undefined);
    // The signal does not cancel this request, because the response contains the id of the webhook to delete.
    const created = await this.client.call('webhooks.create', { body }).catch(async (error: unknown) => {
      if (!mayHaveBeenDone(error)) throw error;
      const added = await this.#added(earlier);
      for (const id of added) await this.#remove(id);
      if (error instanceof UnconfirmedError && added.length > 0) {
        throw new CommandError(
          `${error.message}.`,
          'The webhook that it created was deleted again. Repeat the command.',
        );
      }
      throw error;
    });
    const id = created.id || (await this.#added(earlier))[0] || '';
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

  /** Returns the IDs of webhooks with the public URL. */
  async #ids(): Promise<string[]> {
    const { webhooks } = await this.client.call('webhooks.list', {});
    return webhooks.filter(({ id, url }) => id && url === this.options.publicUrl).map(({ id }) => id);
  }

  /** Returns the IDs of webhooks with the public URL that are not among the earlier ones. */
  async #added(earlier: readonly string[] | undefined): Promise<string[]> {
    if (earlier === undefined) return [];
    const now = await this.#ids().catch(() => []);
    return now.filter((id) => !earlier.includes(id));
  }

  async #remove(id: string): Promise<void> {
    if (!id) {
      throw new CommandError(
        `Cannot find the webhook for ${this.options.publicUrl} on ${this.baseUrl} to delete it.`,
        `Run "${this.command('webhooks list')}", and delete it with "${this.command('webhooks delete ID')}".`,
      );
    }
    try {
      await this.client.call('webhooks.delete', { params: { id } });
    } catch (error) {
      // Deleted by an earlier attempt, as far as one can know.
      if (error instanceof ApiFailure && error.status === NOT_FOUND && error.hint === EARLIER_ATTEMPT) return;
      const message = `Cannot delete webhook ${id} on ${this.baseUrl}: ${(error as Error).message}`;
      const hint = `Delete it with: ${this.command(`webhooks delete ${id} --yes`)}`;
      throw error instanceof ApiFailure
        ? error.withMessage(message, error.details).withHint(hint)
        : new CommandError(message, hint);
    }
  }
}
