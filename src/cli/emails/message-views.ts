import type { Client } from '../../client/client.js';
import type { Inspection } from '../../contract/control/emails/inspect.js';
import type { EmailDetail } from '../../contract/service/emails.js';
import type { Printable } from '../output/color.js';
import { safeContent } from '../output/fields.js';
import { headersOf } from '../output/formatters/email-inspection.js';
import { type Column, stdoutView, table } from '../output/table.js';
import { oneLine } from '../output/text.js';
import { readControlBytes } from './page/save-email.js';

/** Reads and renders the parts of a message that `emails get` shows. */

/** Views that need the control API. */
export const CONTROL_VIEWS = ['raw', 'delivered', 'headers', 'attachments', 'save'] as const;
export type ControlView = (typeof CONTROL_VIEWS)[number];

interface ViewOutput {
  /** Printed with --json. */
  data: object;
  human(): Printable;
  /** A message for people. */
  note?: string;
}

const ATTACHMENT_COLUMNS: Column[] = [
  { title: '#', rank: 1, kind: 'number' },
  { title: 'BYTES', rank: 3, kind: 'number' },
  { title: 'TYPE', rank: 4 },
  { title: 'NAME', rank: 2 },
];
/** What the HTML refers to an inline image by. */
const CONTENT_ID: Column = { title: 'CONTENT-ID', rank: 5 };

function describeAttachments(attachments: Inspection['attachments']): Printable {
  const isInline = attachments.some(({ content_id }) => content_id !== null);
  const rows = attachments.map(({ index, size, content_type, filename, content_id }) => [
    String(index + 1),
    String(size),
    content_type,
    filename,
    ...(isInline ? [content_id ?? ''] : []),
  ]);
  return rows.length > 0
    ? table(isInline ? [...ATTACHMENT_COLUMNS, CONTENT_ID] : ATTACHMENT_COLUMNS, rows, stdoutView())
    : '';
}

function describeHeaders(headers: readonly { name: string; value: string }[]): string {
  return headers.map(({ name, value }) => `${oneLine(name)}: ${oneLine(value)}\n`).join('');
}

/** Reads a view of an email. `save` writes its files to the directory. */
export async function readControlView(
  client: Client,
  email: EmailDetail,
  view: Exclude<ControlView, 'raw' | 'delivered'>,
  directory = '',
): Promise<ViewOutput> {
  const { id } = email;
  switch (view) {
    case 'headers': {
      const headers = headersOf(await readControlBytes(client, 'emails.raw', { params: { id } }));
      return { data: { headers }, human: () => describeHeaders(headers) };
    }
    case 'attachments': {
      const { attachments } = await client.control('emails.inspect', { params: { id } });
      const output = { data: { attachments }, human: () => describeAttachments(attachments) };
      return attachments.length === 0 ? { ...output, note: 'No attachments.' } : output;
    }
    case 'save': {
      const { saveEmail } = await import('./page/save-email.js');
      const files = await saveEmail(client, email, directory);
      return { data: { files }, human: () => files.map((file) => `${file}\n`).join('') };
    }
  }
}

/** Writes a message to stdout: unchanged to a file or program, without control characters to a terminal. */
export function writeMessage(message: Buffer): void {
  process.stdout.write(process.stdout.isTTY ? safeContent(process.stdout, message.toString()) : message);
}
