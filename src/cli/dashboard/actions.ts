import type { Client } from '../../client/client.js';
import { ApiFailure } from '../../client/failures.js';
import { type Outcome, outcomes } from '../../contract/vocabulary/outcome.js';
import { oneLine } from '../output/text.js';
import type { ViewStore } from '../terminal/ink/view-store.js';
import { succeeded } from '../webhooks/attempt-output.js';
import type { Row } from './panes/pane.js';
import type { Change, ChoicePrompt, DashboardState } from './state.js';

type EmailRef = NonNullable<Row['email']>;

/** The recipients of a simulated outcome, for an email with several. */
type Whom = { recipient?: string; all?: boolean };

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

  /** Asks for the outcome to simulate, and then for the recipient if the email has several. */
  askOutcome(email: EmailRef): void {
    this.#ask(
      `Simulate an outcome: ${email.about}`,
      outcomes.map((outcome) => ({ label: outcome, act: () => void this.#simulate(email, outcome) })),
    );
  }

  async #simulate(email: EmailRef, outcome: Outcome, whom: Whom = {}): Promise<void> {
    await this.#report(`simulating ${outcome}`, `cannot simulate ${outcome}`, async () => {
      const params = { id: email.id };
      const simulated = await this.client
        .control('emails.simulate', { params, body: { outcome, ...whom } })
        .catch(async (error: unknown) => {
          // Without a recipient, the server refuses this field only for an email with several.
          const unclear = error instanceof ApiFailure && error.details?.[0]?.path === 'recipient';
          if (!unclear || Object.keys(whom).length > 0) throw error;
          await this.#askRecipient(email, outcome);
        });
      if (!simulated) return undefined;
      return `simulated ${outcome}: ${simulated.recipients.map(({ address, status }) => `${address} ${status}`).join(', ')}`;
    });
  }

  async #askRecipient(email: EmailRef, outcome: Outcome): Promise<void> {
    const { recipients } = await this.client.control('emails.inspect', { params: { id: email.id } });
    const option = (label: string, whom: Whom) => ({
      label: oneLine(label),
      act: () => void this.#simulate(email, outcome, whom),
    });
    this.#ask(`Recipient to simulate ${outcome} for: ${email.about}`, [
      ...recipients.map(({ mailbox }) => option(mailbox, { recipient: mailbox })),
      option(`all ${recipients.length} recipients`, { all: true }),
    ]);
  }

  #ask(title: string, options: ChoicePrompt['options']): void {
    this.store.change({ kind: 'ask', prompt: { kind: 'choice', title, options, choice: 0 } });
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

  async #report(beginning: string, failing: string, act: () => Promise<string | undefined>): Promise<void> {
    this.#notice(beginning);
    try {
      const done = await act();
      if (done !== undefined) this.#notice(done);
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
