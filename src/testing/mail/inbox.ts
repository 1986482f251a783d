import type { CapturedEmail } from '../../client/operations.js';
import { allOf } from '../../contract/vocabulary/query/format-query.js';
import type { AddressInbox, EmailCriteria, Inbox, ReceivedEmail, WaitOptions } from '../api/emails.js';
import { queryOf, recipientQuery } from './criteria.js';
import { receivedEmail } from './received-email.js';
import { findEmails, type Mailbox, waitForEmails, waitForNoEmail } from './wait.js';
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
    this.#mailbox = mailbox;
  }

  waitFor(criteria: Wanted = {}): Promise<ReceivedEmail> {
    return failingAt(callSite(this.waitFor), async () => {
      const [newest] = await waitForEmails(this.#mailbox, this.#queryOf(criteria), { ...criteria, count: 1 });
      return this.#received(newest as CapturedEmail);
    });
  }

  waitForCount(count: number, criteria: Wanted = {}): Promise<ReceivedEmail[]> {
    return failingAt(callSite(this.waitForCount), async () => {
      const emails = await waitForEmails(this.#mailbox, this.#queryOf(criteria), { ...criteria, count });
      return emails.map((email) => this.#received(email)).reverse();
    });
  }

  waitForNone(criteria: Wanted = {}): Promise<void> {
    return failingAt(callSite(this.waitForNone), () =>
      waitForNoEmail(this.#mailbox, this.#queryOf(criteria), criteria),
    );
  }

  all(criteria: EmailCriteria = {}): Promise<ReceivedEmail[]> {
    return failingAt(callSite(this.all), async () => {
      const emails = await findEmails(this.#mailbox, this.#queryOf(criteria));
      return emails.map((email) => this.#received(email)).reverse();
    });
  }

  delete(criteria: EmailCriteria = {}): Promise<number> {
    return failingAt(callSite(this.delete), async () => {
      const { client } = this.#mailbox;
      const emails = await findEmails(this.#mailbox, this.#queryOf(criteria));
      await Promise.all(emails.map(({ id }) => client.control('emails.delete', { params: { id } })));
      return emails.length;
    });
  }

  clear(): Promise<number> {
    return this.delete();
  }

  #received(email: CapturedEmail): ReceivedEmail {
    return receivedEmail(this.#mailbox, email);
  }

  /** The criteria come first, so that an error names a position close to that in the text of the test. */
  #queryOf(criteria: EmailCriteria): string {
    const own = this.address === undefined ? [] : [recipientQuery(this.address)];
    return allOf([queryOf(criteria), ...own]);
  }
}
