import { join } from 'node:path';
import type { Client } from '../../client/client.js';
import { ApiFailure } from '../../client/failures.js';
import { type Outcome, outcomes } from '../../contract/vocabulary/outcomes.js';
import { succeeded } from '../../contract/vocabulary/webhooks/attempts.js';
import { saveEmail } from '../emails/page/save-email.js';
import { type CommandLine, oneLine } from '../output/text.js';
import type { ViewStore } from '../terminal/ink/use-redraw.js';
import type { Copy, Row } from './panes/pane.js';
import type { Change, ChoiceItem, DashboardState } from './state.js';

type MailRef = NonNullable<Row['email']>;

/** Performs the actions of keys outside the view. Its methods never throw: a failure becomes a notice. */
export class DashboardActions {
  constructor(
    private readonly client: Client,
    private readonly store: ViewStore<DashboardState, Change>,
    /** Reads the panes again, after a change that no stream reports. */
    private readonly refresh: () => void,
    private readonly command: CommandLine,
  ) {}

  /** Asks for an outcome and then, if the email has several recipients, for which of them. */
  simulate(email: MailRef): void {
    this.#choose(
      `Simulate an outcome: ${email.about}`,
      outcomes.map((outcome) => ({ label: outcome, act: () => void this.#simulateFor(email, outcome) })),
    );
  }

  async #simulateFor(email: MailRef, outcome: Outcome): Promise<void> {
    const isCurrent = this.#watchKeys();
    await this.#report(`simulating ${outcome}`, `cannot simulate ${outcome}`, async () => {
      const { recipients } = await this.client.control('emails.inspect', { params: { id: email.id } });
      if (recipients.length < 2) return this.#simulateNow(email, outcome);
      const one = recipients.map(({ address, mailbox }) => ({
        label: oneLine(address),
        act: () => void this.#simulateReported(email, outcome, mailbox),
      }));
      const all = {
        label: recipients.length === 2 ? 'both recipients' : `all ${recipients.length} recipients`,
        act: () => void this.#simulateReported(email, outcome),
      };
      return this.#chooseIf(isCurrent(), `Simulate ${outcome} for:`, [...one, all]);
    });
  }

  async #simulateReported(email: MailRef, outcome: Outcome, recipient?: string): Promise<void> {
    await this.#report(`simulating ${outcome}`, `cannot simulate ${outcome}`, () =>
      this.#simulateNow(email, outcome, recipient),
    );
  }

  async #simulateNow({ id }: MailRef, outcome: Outcome, recipient?: string): Promise<string> {
    const body = recipient === undefined ? { outcome, all: true } : { outcome, recipient };
    const { recipients } = await this.client.control('emails.simulate', { params: { id }, body });
    return `simulated ${outcome}: ${recipients.map(({ address, status }) => `${address} ${status}`).join(', ')}`;
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

  /** Asks what to copy, if there is more than the id. */
  async copy(row: Row): Promise<void> {
    const isCurrent = this.#watchKeys();
    await this.#report('reading what can be copied', 'cannot copy', async () => {
      const found: Copy[] = [{ name: 'ID', value: row.id }, ...((await row.copies?.(this.client)) ?? [])];
      const items = found.map((each) => ({
        label: `${each.name.padEnd(6)}${oneLine(each.value)}`,
        act: () => this.#copyNow(each),
      }));
      if (items.length > 1) return this.#chooseIf(isCurrent(), 'Copy:', items);
      items[0]?.act();
      return undefined;
    });
  }

  #copyNow({ name, value }: Copy): void {
    copyToClipboard(value);
    this.#notice(`copied the ${name} ${value}`);
  }

  async openInBrowser({ id }: MailRef): Promise<void> {
    await this.#report(`opening ${id}`, 'not opened', async () => {
      const { openEmail } = await import('../emails/page/open-email.js');
      const { file, opened } = await openEmail(this.client, id, { command: this.command, env: process.env });
      return opened ? `opened ${file}` : `no browser found; open this file: ${file}`;
    });
  }

  async save({ id }: MailRef): Promise<void> {
    await this.#report(`saving ${id}`, 'not saved', async () => {
      const email = await this.client.call('emails.get', { params: { id } });
      const paths = await saveEmail(this.client, email, join(process.cwd(), id));
      return `saved ${paths.length === 1 ? '1 file' : `${paths.length} files`} in ${join(process.cwd(), id)}`;
    });
  }

  /** Deletes an email after a confirmation. */
  delete({ id, about }: MailRef): void {
    const { opened } = this.store.current();
    const isOpen = () => nameOf(this.store.current().opened) === nameOf(opened);
    this.#ask(`Delete the email to ${about}?`, () => {
      void this.#report(`deleting ${id}`, 'not deleted', async () => {
        await this.client.control('emails.delete', { params: { id } });
        if (isOpen()) this.store.change({ kind: 'close' });
        this.refresh();
        return `deleted ${id}`;
      });
    });
  }

  /** Stops the server. Asks first if it holds email that would be lost. */
  async quit(stop: () => void, inMemory: boolean): Promise<void> {
    const isCurrent = this.#watchKeys();
    const total = inMemory ? await this.#countEmails() : 0;
    if (total === 0) {
      stop();
      return;
    }
    if (!isCurrent()) return;
    const mail = total === 1 ? '1 email that is' : `${total.toLocaleString('en')} emails that are`;
    this.#ask(`Stop the server and discard ${mail} in memory only?`, stop);
  }

  /** Returns the number of emails now. The pane may not have read the newest ones yet. */
  async #countEmails(): Promise<number> {
    try {
      const { pagination } = await this.client.call('emails.list', { query: { limit: 1 } });
      return pagination.total;
    } catch {
      return this.store.current().panes.mails.total ?? 0;
    }
  }

  #ask(question: string, act: () => void): void {
    this.store.change({ kind: 'ask', prompt: { kind: 'confirm', question: oneLine(question), act } });
  }

  /** Returns a function that returns whether keys still act on the same row, and no other prompt was opened. */
  #watchKeys(): () => boolean {
    const before = this.store.current();
    return () => {
      const { prompt, focus, panes, filter, opened } = this.store.current();
      return (
        prompt === before.prompt &&
        focus === before.focus &&
        filter === before.filter &&
        panes[focus].selected?.id === before.panes[focus].selected?.id &&
        nameOf(opened) === nameOf(before.opened)
      );
    };
  }

  /** Asks only if the next key is still meant for the question. Returns the notice if it is not. */
  #chooseIf(isCurrent: boolean, title: string, items: readonly ChoiceItem[]): string | undefined {
    if (!isCurrent) return 'cancelled by another key';
    this.#choose(title, items);
    return undefined;
  }

  #choose(title: string, items: readonly ChoiceItem[]): void {
    this.store.change({ kind: 'ask', prompt: { kind: 'choice', title, items, index: 0 } });
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
  }

  #notice(text: string): void {
    this.store.change({ kind: 'notice', text: oneLine(text) });
  }
}

/** Returns a name of what is open. Scrolling does not change it. */
function nameOf(opened: DashboardState['opened']): string | undefined {
  return opened?.kind === 'row' ? opened.row.id : opened?.kind;
}

/**
 * Copies text to the clipboard of the terminal with the control sequence OSC 52, which also works over SSH. Terminals
 * without it ignore the sequence, and do not report whether they have it.
 */
function copyToClipboard(text: string, stdout: NodeJS.WriteStream = process.stdout): void {
  stdout.write(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`);
}
