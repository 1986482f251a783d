import { writeFileSync } from 'node:fs';
import { bestCode, purposefulFirst } from '../../../client/checks/check.js';
import { textPattern } from '../../../client/checks/text-pattern.js';
import type { Client } from '../../../client/client.js';
import type { CapturedEmail } from '../../../contract/control/emails/captured-email.js';
import { firstFew } from '../../../contract/vocabulary/text.js';
import { AssertionFailedError, UsageError } from '../../errors/exit-codes.js';
import { compiled, notEmpty } from '../../flags/values/query.js';
import { declaredAsUtf8 } from '../../output/fields.js';
import { quoted } from '../../output/text.js';
import { writingFile } from '../../process/files.js';
import { readControlBytes } from '../page/save-email.js';

/** Extracts one part of an email, for a script. */

const PARTS = ['link', 'code', 'attachment', 'text', 'html'] as const;

/** The part of an email to extract. */
export type Extraction = TextExtraction | { part: 'attachment' };
export type TextExtraction = { part: 'link' | 'code' | 'text' | 'html' } | { part: 'header'; name: string };

export const EXTRACTION_FORM = `one of ${PARTS.join(', ')} and header:NAME`;
const HEADER = /^header:([!-9;-~]+)$/;

/** Reads `link`, `code`, `attachment`, `text`, `html` or `header:NAME`; undefined for another text. */
export function readExtraction(text: string): Extraction | undefined {
  const name = HEADER.exec(text)?.[1];
  if (name !== undefined) return { part: 'header', name };
  const part = PARTS.find((each) => each === text);
  return part && { part };
}

/**
 * Returns the first such part of an email; of codes, the most probable one, and of links, one with a
 * purpose first, such as to reset a password, and one to unsubscribe last.
 * `linkPattern` selects links.
 * @throws AssertionFailedError if the email has none.
 */
export async function extractText(
  email: CapturedEmail,
  extraction: TextExtraction,
  linkPattern: string | undefined,
): Promise<string> {
  switch (extraction.part) {
    case 'link':
      return linkOf(email, linkPattern);
    case 'code':
      return codeOf(email);
    case 'header':
      return headerOf(email, extraction.name);
    case 'text':
      return email.text || email.html_text || missing(email, 'text');
    case 'html':
      return declaredAsUtf8(email.html) || missing(email, 'HTML');
  }
}

function codeOf(email: CapturedEmail): string {
  return bestCode(email.codes)?.value ?? missing(email, 'code');
}

function headerOf(email: CapturedEmail, wanted: string): string {
  const header = email.headers.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  return header?.value ?? missing(email, `header ${quoted(wanted)}`);
}

async function linkOf(email: CapturedEmail, pattern: string | undefined): Promise<string> {
  if (pattern === undefined) return purposefulFirst(email.links)[0]?.href ?? missing(email, 'link');
  const { find } = await textPattern(pattern);
  const link = email.links.find(({ href }) => find(href) !== undefined);
  if (link) return link.href;
  const links = email.links.map(({ href }) => href);
  const found = links.length > 0 ? `It has: ${firstFew(links)}` : 'It has no links.';
  throw new AssertionFailedError(`Email ${email.id} has no link that matches ${quoted(pattern)}.`, [], found);
}

/** Returns the bytes of the first attachment. @throws AssertionFailedError if the email has none. */
export function extractAttachment(client: Client, email: CapturedEmail): Promise<Buffer> {
  const [first] = email.attachments;
  if (!first) return missing(email, 'attachment');
  return readControlBytes(client, 'emails.attachment', { params: { id: email.id, index: String(first.index) } });
}

function missing(email: CapturedEmail, what: string): never {
  throw new AssertionFailedError(`Email ${email.id} has no ${what}.`, []);
}

/** Writes a file. @throws CommandError if it cannot be written. */
export function writeOutput(file: string, bytes: Buffer): void {
  writingFile(file, '--output', () => writeFileSync(file, bytes));
}

export interface ExtractFlags {
  extract?: Extraction | undefined;
  'link-matching'?: string | undefined;
  output?: string | undefined;
  json?: boolean | undefined;
}

/** Checks flags that depend on the extracted part. @throws UsageError if they cannot be combined. */
export async function checkExtractFlags(flags: ExtractFlags): Promise<void> {
  const { extract, output, json } = flags;
  const pattern = flags['link-matching'];
  if (pattern !== undefined) {
    if (extract?.part !== 'link') throw new UsageError('--link-matching needs --extract link.');
    notEmpty('--link-matching', pattern);
    // Reports an invalid regular expression before the wait.
    await compiled('--link-matching', () => textPattern(pattern));
  }
  if (output !== undefined && extract?.part !== 'attachment')
    throw new UsageError('--output needs --extract attachment.');
  if (json && extract?.part === 'attachment' && output === undefined) {
    throw new UsageError(
      '--extract attachment prints bytes and cannot be combined with --json.',
      'Add --output FILE to save the attachment.',
    );
  }
}
