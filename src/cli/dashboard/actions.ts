import type { Client } from '../../client/client.js';
import { ApiFailure } from '../../client/failures.js';
import type { Outcome } from '../../contract/vocabulary/outcome.js';
import { oneLine } from '../output/text.js';
import type { ViewStore } from '../terminal/ink/view-store.js';
import { succeeded } from '../webhooks/attempt-output.js';
import type { Row } from './panes/pane.js';
import type { Change, DashboardState } from './state.js';

/** Performs the actions of keys outside the view. Its methods never throw: a failure becomes a notice. */
export class DashboardActions {
  constructor(
    private readonly client: Client,
    private readonly store: ViewStore<DashboardState, Change>,
  ) {}

  async open(row: Row): Promise<void> {
    this.store.change({ kind: 'open', opened: { kind: 'row', row, text: undefined, scroll: 0 } });
    await this.#read(row);
  }

  async simulate(email: string, outcome: Outcome): Promise<void> {
    await this.#report(`simulating ${outcome}`, `cannot simulate ${outcome}`, async () => {
      const { recipients } = await this.client.control('emails.simulate', { params: { id: email }, body: { outcome } });
      return `simulated ${outcome}: ${recipients.map(({ address, status }) => `${address} ${status}`).join(', ')}`;
    });
  }

  async replay({ id, replay }: Row): Promise<void> {
    if (!replay) return;
    await this.#report(`replaying ${id}`, 'replay failed', async () => {
      const { attempts } = await this.client.control('deliveries.replay', { body: replay });
      const failed = attempts.filter((attempt) => !succeeded(attempt));
      const answers = attempts.map(({ status, error }) => status ?? error).join(', ');
      return `replayed ${id}${failed.length > 0 ? ', but it failed' : ''}: ${answers}`;
    });
  }

  async #report(beginning: string, failing: string, act: () => Promise<string>): Promise<void> {
    this.#notice(beginning);
    try {
      this.#notice(await act());
    } catch (error) {
      const hint = error instanceof ApiFailure && error.details ? error.details.map(({ message }) => message) : [];
      this.#notice(`${failing}: ${[(error as Error).message, ...hint].join(' ')}`);
    }
    // The open text may show the changed resource.
    const { opened } = this.store.current();
    if (opened?.kind === 'row') await this.#read(opened.row);
  }

  async #read(row: Row): Promise<void> {
    const text = await row.open(this.client).catch((error: Error) => `Cannot load: ${oneLine(error.message)}`);
    this.store.change({ kind: 'text', row, text });
  }

  #notice(text: string): void {
    this.store.change({ kind: 'notice', text: oneLine(text) });
  }
}
