import type { CapturedEmail } from '../../client/operations.js';
import type { AddressInbox, EmailCriteria, Inbox, ReceivedEmail, WaitOptions } from '../api/emails.js';
import { queryOf } from './criteria.js';
import { receivedEmail } from './received-email.js';
import { findEmails, fullQuery, type Mailbox, waitForEmails, waitForNoEmail } from './wait.js';
import { callSite, failingAt } from './wait-error.js';

/** Returns the inbox of an address, or of all addresses. */
export function createInbox(mailbox: Mailbox): Inbox;
export function createInbox(mailbox: Mailbox, address: string): AddressInbox;
export function createInbox(mailbox: Mailbox, address?: string): Inbox {
  return new MailInbox(mailbox, address);
}

type Wanted = EmailCriteria & WaitOptions;

class MailInbox implements Inbox {
  readonly #mailbox: Mailbox;

  constructor(
    mailbox: Mailbox,
    readonly address: string | undefined,
  ) {
    this.#mailbox = { ...mailbox, address };
  }

  waitFor(criteria: Wanted = {}, ...others: unknown[]): Promise<ReceivedEmail> {
    return failingAt(callSite(this.waitFor), async () => {
      checkOthers(others, 'waitFor({ timeout: TIME })');
      const [newest] = await this.#wait(criteria, 1);
      return this.#received(newest as CapturedEmail);
    });
  }

  waitForCount(count: number, criteria: Wanted = {}, ...others: unknown[]): Promise<ReceivedEmail[]> {
    return failingAt(callSite(this.waitForCount), async () => {
      checkOthers(others, 'waitForCount(2, { timeout: TIME })');
      const emails = await this.#wait(criteria, count);
      return emails.map((email) => this.#received(email)).reverse();
    });
  }

  waitForNone(criteria: Wanted = {}, ...others: unknown[]): Promise<void> {
    return failingAt(callSite(this.waitForNone), async () => {
      checkOthers(others, 'waitForNone({ timeout: TIME })');
      await waitForNoEmail(this.#mailbox, queryOf(criteria), criteria);
    });
  }

  all(criteria: EmailCriteria = {}): Promise<ReceivedEmail[]> {
    return failingAt(callSite(this.all), async () => {
      const emails = await findEmails(this.#mailbox, queryOf(criteria));
      return emails.map((email) => this.#received(email)).reverse();
    });
  }

  delete(criteria: EmailCriteria = {}): Promise<number> {
    return failingAt(callSite(this.delete), async () => {
      const query = fullQuery(this.#mailbox, queryOf(criteria));
      const body = query === '' ? { all: true as const } : { search: query };
      return (await this.#mailbox.client.control('emails.delete_selected', { body })).deleted;
    });
  }

  clear(): Promise<number> {
    return this.delete();
  }

  async #wait(criteria: Wanted, count: number): Promise<CapturedEmail[]> {
    const emails = await waitForEmails(this.#mailbox, queryOf(criteria), { ...criteria, count });
    for (const email of emails) this.#mailbox.onWait?.(this.#mailbox.client, email);
    return emails;
  }

  #received(email: CapturedEmail): ReceivedEmail {
    return receivedEmail(this.#mailbox, email);
  }
}

/** Programs in JavaScript have no types that refuse a time-out after the criteria. @throws TypeError for it. */
function checkOthers([other]: readonly unknown[], call: string): void {
  if (other === undefined) return;
  const time = typeof other === 'number' || typeof other === 'string' ? JSON.stringify(other) : "'10s'";
  throw new TypeError(
    `Unexpected argument after the criteria. Put the time-out into them: ${call.replace('TIME', time)}.`,
  );
}
