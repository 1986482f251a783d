import { bestCode } from '../../client/checks/best-parts.js';
import type { CapturedEmail } from '../../client/operations.js';
import type { ServiceClient } from '../../client/service-client.js';
import { allOf, formatCondition } from '../../contract/vocabulary/query/format-query.js';
import type { Attachment, LinkCriteria, ReceivedEmail, TextPattern } from '../api/emails.js';
import { queryOf } from './criteria.js';
import { findLink } from './links.js';
import { matchesPattern } from './patterns.js';
import { comparePicture, takePicture } from './pictures.js';
import { findEmails, type Mailbox, waitForEmails } from './wait.js';
import { callSite, failingAt } from './wait-error.js';

/** Returns a captured email with functions. They are not enumerable: a comparison or a snapshot only has the data. */
export function receivedEmail(mailbox: Mailbox, captured: CapturedEmail): ReceivedEmail {
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
