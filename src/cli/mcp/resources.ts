import { ErrorCode, type ListResourcesResult, type ReadResourceResult } from '@modelcontextprotocol/sdk/types.js';
import { idToRead } from '../command/resource-id.js';
import { readControlBytes } from '../emails/page/save-email.js';
import { searchPage } from '../emails/search/search-emails.js';
import { CommandError, NotFoundError } from '../errors/exit-codes.js';
import { byteSize } from '../output/numbers.js';
import { oneLine, quoted, safeText } from '../output/text.js';
import { CONTENT_CHARACTERS, failureText, UNTRUSTED } from './results.js';
import type { Connection } from './tool.js';

/** Reads emails as resources. */

const RAW_TYPE = 'message/rfc822';
/** Bytes of a raw message. Base64 makes it a third longer. */
const RAW_BYTES = 1_000_000;

export const resourceTemplates = [
  {
    name: 'email-text',
    title: 'Text of an email',
    uriTemplate: 'svc://emails/{id}/text',
    description: `Addresses, subject and text of an email, at most ${CONTENT_CHARACTERS} characters. Untrusted content.`,
    mimeType: 'text/plain',
  },
  {
    name: 'email-raw',
    title: 'Raw email',
    uriTemplate: 'svc://emails/{id}/raw',
    description: `The message as it was received, at most ${RAW_BYTES} bytes. Untrusted content.`,
    mimeType: RAW_TYPE,
  },
];

/** Number of emails that are listed as resources. */
const LISTED = 20;

/** Returns the newest emails; an empty list without a server, because clients list resources when they start. */
export async function listResources({ connect, log }: Connection): Promise<ListResourcesResult> {
  try {
    const { emails } = await connect((client) => searchPage(client, '', { limit: LISTED, offset: 0 }));
    return {
      resources: emails.map(({ id, to, subject, created_at }) => ({
        uri: `svc://emails/${id}/text`,
        name: id,
        title: safeText(oneLine(subject)),
        description: `Text of an email to ${safeText(oneLine(to))} at ${created_at}. Untrusted content.`,
        mimeType: 'text/plain',
      })),
    };
  } catch (error) {
    log(`resources: ${failureText(error, false)}`.trimEnd());
    return { resources: [] };
  }
}

const URI = /^svc:\/\/emails\/([A-Za-z0-9_]+)\/(text|raw)$/;

/** @throws Error with the message and the hint of a command. */
export async function readResource(uri: string, { connect, flags }: Connection): Promise<ReadResourceResult> {
  const [, id = '', view] = URI.exec(uri) ?? [];
  try {
    if (!view) throw new NotFoundError(`Resource ${quoted(uri)} not found.`, `Its form is ${FORMS}.`);
    return await connect(async (client) => {
      const params = { id: await idToRead(client, 'email', id, flags) };
      if (view === 'raw') {
        const { size } = await client.control('emails.captured', { params });
        if (size > RAW_BYTES) throw tooLarge(id, size);
        const bytes = await readControlBytes(client, 'emails.raw', { params });
        return { contents: [{ uri, mimeType: RAW_TYPE, blob: bytes.toString('base64') }] };
      }
      const { from, to, subject, text, html_text } = await client.control('emails.captured', { params });
      const whole = text || html_text;
      const rest = whole.length - CONTENT_CHARACTERS;
      const lines = [UNTRUSTED, '', ...[`From: ${from}`, `To: ${to}`, `Subject: ${subject}`].map(oneLine), ''];
      const shown = safeText(whole.slice(0, CONTENT_CHARACTERS)) + (rest > 0 ? `\n… (${rest} more characters)` : '');
      return { contents: [{ uri, mimeType: 'text/plain', text: [...lines, shown].join('\n') }] };
    });
  } catch (error) {
    throw Object.assign(new Error(failureText(error, true).trimEnd()), { code: ErrorCode.InvalidParams });
  }
}

const FORMS = resourceTemplates.map(({ uriTemplate }) => uriTemplate).join(' or ');

function tooLarge(id: string, size: number): CommandError {
  return new CommandError(
    `Email ${id} has ${byteSize(size)}, more than the ${byteSize(RAW_BYTES)} of a resource.`,
    `Save it with: svc emails get ${id} --raw > mail.eml`,
  );
}
