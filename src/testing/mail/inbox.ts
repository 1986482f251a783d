import { bestCode } from '../../client/checks/check.js';
import type { CapturedEmail } from '../../client/operations.js';
import type { ServiceClient } from '../../client/service-client.js';
import { allOf, formatCondition } from '../../contract/vocabulary/query/format-query.js';
import type {
  AddressInbox,
  Attachment,
  EmailCriteria,
  Inbox,
  LinkCriteria,
  ReceivedEmail,
  TextPattern,
  WaitOptions,
} from '../api/emails.js';
import { queryOf } from './criteria.js';
import { findLink, matchesPattern } from './links.js';
import { comparePicture, takePicture } from './pictures.js';
import { callSite, failingAt, findEmails, fullQuery, type Mailbox, waitForEmails, waitForNoEmail } from './wait.js';

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

/** Returns a captured email with functions. They are not enumerable: a comparison or a snapshot only has the data. */
function receivedEmail(mailbox: Mailbox, captured: CapturedEmail): ReceivedEmail {
  const { client } = mailbox;
  const { id } = captured;
  const functions: Omit<ReceivedEmail, keyof CapturedEmail> = {
    link: (pattern?: TextPattern | LinkCriteria) => findLink(captured, pattern).href,
    code: () => findCode(captured),
    attachment: (name?: TextPattern) => download(client, captured, name),
    screenshot: (options) => takePicture(client, captured, options),
    matchScreenshot: (file, options) => comparePicture(client, captured, file, options),
    raw: () => rawMessage(client, id),
    waitFor: ({ timeout, ...criteria }) =>
      failingAt(callSite(functions.waitFor), async () => {
        const query = allOf([formatCondition('id', id), queryOf(criteria)]);
        const [found] = await waitForEmails({ client, since: 'start' }, query, { timeout, count: 1 });
        return receivedEmail(mailbox, found as CapturedEmail);
      }),
    reload: async () => {
      const [found] = await findEmails({ client, since: 'start' }, formatCondition('id', id));
      if (!found) throw new Error(`The email ${JSON.stringify(captured.subject)} (${id}) no longer exists.`);
      return receivedEmail(mailbox, found);
    },
  };
  const email: Partial<ReceivedEmail> = { ...captured };
  for (const [name, value] of Object.entries(functions)) Object.defineProperty(email, name, { value });
  return email as ReceivedEmail;
}

function findCode({ codes, subject, text }: CapturedEmail): string {
  const best = bestCode(codes);
  if (best) return best.value;
  throw new Error(`The email ${JSON.stringify(subject)} has no one-time code. Its text:\n${firstLines(text)}`);
}

async function download(
  client: ServiceClient,
  { id, subject, attachments }: CapturedEmail,
  name: TextPattern | undefined,
): Promise<Attachment> {
  const found = attachments.find(({ filename }) => name === undefined || matchesPattern(filename, name));
  if (!found) {
    const names = attachments.map(({ filename }) => `  ${filename}`);
    const wanted = name === undefined ? 'no attachment' : `no attachment ${String(name)}`;
    throw new Error(
      [`The email ${JSON.stringify(subject)} has ${wanted}.`, ...(names.length > 0 ? ['It has:', ...names] : [])].join(
        '\n',
      ),
    );
  }
  const { index, filename, content_type, size } = found;
  const content = await client.download('emails.attachment', { params: { id, index: String(index) } });
  return { filename, content_type, size, content, text: () => new TextDecoder().decode(content) };
}

async function rawMessage(client: ServiceClient, id: string): Promise<string> {
  return new TextDecoder().decode(await client.download('emails.raw', { params: { id } }));
}

function firstLines(text: string): string {
  return text
    .trim()
    .split('\n', 10)
    .map((line) => `  ${line}`)
    .join('\n');
}
