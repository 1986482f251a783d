import type { Inspection } from '../../contract/control/inspect-email.js';
import type { Printable } from '../output/color.js';
import { safeContent } from '../output/content.js';
import { type Column, stdoutView, table } from '../output/table.js';
import { oneLine } from '../output/text.js';

/** Renders the parts of a message that `emails get` shows. */

const ATTACHMENT_COLUMNS: Column[] = [
  { title: '#', rank: 1, kind: 'number' },
  { title: 'BYTES', rank: 3, kind: 'number' },
  { title: 'TYPE', rank: 4 },
  { title: 'NAME', rank: 2 },
];

export function describeAttachments(attachments: Inspection['attachments']): Printable {
  const rows = attachments.map(({ index, size, content_type, filename }) => [
    String(index + 1),
    String(size),
    content_type,
    filename,
  ]);
  return rows.length > 0 ? table(ATTACHMENT_COLUMNS, rows, stdoutView()) : '';
}

export function describeHeaders(headers: readonly { name: string; value: string }[]): string {
  return headers.map(({ name, value }) => `${oneLine(name)}: ${oneLine(value)}\n`).join('');
}

/** Writes a message to stdout: unchanged to a file or program, without control characters to a terminal. */
export function writeMessage(message: Buffer): void {
  process.stdout.write(process.stdout.isTTY ? safeContent(process.stdout, message.toString()) : message);
}
