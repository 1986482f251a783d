import type { CapturedEmail } from '../../client/operations.js';
import type { ServiceClient } from '../../client/service-client.js';
import { allOf } from '../../contract/vocabulary/query/format-query.js';
import type { AddressInbox, EmailCriteria, Inbox, ReceivedEmail, WaitOptions } from '../api/emails.js';
import { millisecondsOf } from '../durations.js';
import { queryOf, recipientQuery } from './criteria.js';
import { describeAbsenceFailure, describeTimeout } from './descriptions.js';
import { receivedEmail } from './received-email.js';
import { type CallSite, callSite, failingAt, WaitError } from './wait-error.js';

/** Milliseconds, less than the 5 seconds after which vitest and jest end a test without saying what arrived. */
const WAIT_MS = 4_000;
const ABSENT_MS = 500;
/** The most emails that one call returns. */
const EMAILS_MAX = 1_000;

export interface InboxParts {
  client: ServiceClient;
  /** The earliest emails to consider, as the API reads it. */
  since: string;
}

type Wanted = EmailCriteria & WaitOptions;

/** Returns the inbox of an address, or of all addresses. */
export function createInbox(parts: InboxParts): Inbox;
export function createInbox(parts: InboxParts, address: string): AddressInbox;
export function createInbox(parts: InboxParts, address?: string): Inbox {
  return new MailInbox(parts, address);
}

class MailInbox implements Inbox {
  readonly #parts: InboxParts;

  constructor(
    parts: InboxParts,
    readonly address: string | undefined,
  ) {
    this.#parts = parts;
  }

  async waitFor(criteria: Wanted = {}): Promise<ReceivedEmail> {
    const [newest] = await this.#wait(callSite(this.waitFor), 1, criteria);
    return newest as ReceivedEmail;
  }

  async waitForCount(count: number, criteria: Wanted = {}): Promise<ReceivedEmail[]> {
    return (await this.#wait(callSite(this.waitForCount), count, criteria)).reverse();
  }

  async waitForNone(criteria: Wanted = {}): Promise<void> {
    return failingAt(callSite(this.waitForNone), async () => {
      const query = this.#queryOf(criteria);
      const timeout = millisecondsOf(criteria.timeout ?? ABSENT_MS, 'timeout');
      const { matched, emails } = await this.#call(query, criteria, { absent: true, timeout_ms: Math.max(1, timeout) });
      if (!matched) throw new WaitError(describeAbsenceFailure(query, emails), query, []);
    });
  }

  async all(criteria: EmailCriteria = {}): Promise<ReceivedEmail[]> {
    return failingAt(callSite(this.all), async () => {
      const { emails } = await this.#call(this.#queryOf(criteria), {}, { min: 1, max: EMAILS_MAX, timeout_ms: 1 });
      return emails.map((email) => receivedEmail(this.#parts.client, email)).reverse();
    });
  }

  async delete(criteria: EmailCriteria = {}): Promise<number> {
    return failingAt(callSite(this.delete), async () => {
      const query = this.#queryOf(criteria);
      const body = query === '' ? { all: true as const } : { search: query };
      return (await this.#parts.client.control('emails.delete_many', { body })).deleted;
    });
  }

  clear(): Promise<number> {
    return this.delete();
  }

  #wait(site: CallSite, count: number, criteria: Wanted): Promise<ReceivedEmail[]> {
    return failingAt(site, async () => {
      const query = this.#queryOf(criteria);
      const timeout = millisecondsOf(criteria.timeout ?? WAIT_MS, 'timeout');
      const result = await this.#call(query, criteria, { min: count, timeout_ms: Math.max(1, timeout) });
      if (result.matched) return result.emails.map((email) => receivedEmail(this.#parts.client, email));
      const found = result.emails.length;
      const message = describeTimeout({ query, timeout, count, found, nearMisses: result.near_misses });
      throw new WaitError(message, query, result.near_misses);
    });
  }

  #queryOf(criteria: EmailCriteria): string {
    const own = this.address === undefined ? [] : [recipientQuery(this.address)];
    return allOf([...own, queryOf(criteria)]);
  }

  #call(
    query: string,
    { since }: { since?: CapturedEmail | undefined },
    options: { min?: number; max?: number; timeout_ms: number; absent?: boolean },
  ) {
    const body = { query, since: since?.cursor ?? this.#parts.since, ...options };
    return this.#parts.client.control('emails.wait', { body });
  }
}
