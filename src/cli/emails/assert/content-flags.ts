import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Flags, type Interfaces } from '@oclif/core';
import { type Check, type CheckedEmail, failed, passed } from '../../../client/checks/check.js';
import {
  checkAttachments,
  checkContains,
  checkHasLink,
  checkMatches,
  checkMaxSize,
} from '../../../client/checks/content.js';
import { checkLinksOk } from '../../../client/checks/links-ok.js';
import { regexPattern, type TextPattern, textPattern } from '../../../client/checks/text-pattern.js';
import type { Client } from '../../../client/client.js';
import type { CapturedEmail } from '../../../contract/control/emails/captured-email.js';
import { readRegex } from '../../../contract/vocabulary/query/regex.js';
import { CommandError, UsageError } from '../../errors/exit-codes.js';
import { describeFileError } from '../../errors/fs-errors.js';
import { compiled, notEmpty } from '../../flags/values/query.js';
import { byteSizeFlag } from '../../flags/values/value-types.js';
import { quoted } from '../../output/text.js';
import { comparisonFlags, contentOfEmail, withPictures } from '../pictures.js';

/** Declares the flags that check the content of an email, and returns their checks. */
export const contentFlags = {
  contains: Flags.string({
    description: 'Text that the subject, the plain text or the HTML contains, case-sensitive; repeatable.',
    helpValue: 'TEXT',
    multiple: true,
  }),
  matches: Flags.string({
    description: 'Regular expression (RE2) that the subject, the text or the HTML matches; repeatable.',
    helpValue: '/REGEX/',
    multiple: true,
  }),
  'has-link': Flags.string({
    description: 'Part of a link’s URL, or the whole URL with * for any text, or /REGEX/; repeatable.',
    helpValue: 'URL-PATTERN',
    multiple: true,
  }),
  'no-placeholders': Flags.boolean({
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the help shows a placeholder
    description: 'No {{…}}, ${…}, %s, undefined or [object Object] in the subject, the text, the HTML or links.',
  }),
  'links-ok': Flags.boolean({
    description: 'Links to this machine answer GET with a status below 400. Others are not requested.',
  }),
  attachments: Flags.integer({ description: 'Expected number of attachments.', helpValue: 'COUNT', min: 0 }),
  'max-size': byteSizeFlag({ description: 'Maximum size of the email.' }),
  snapshot: Flags.string({
    description: 'File with the expected HTML of the newest match, without IDs, codes and tokens.',
    helpValue: 'FILE',
  }),
  screenshot: Flags.string({
    description: 'PNG file with the expected picture of the newest match, without IDs and codes.',
    helpValue: 'FILE',
  }),
  ...comparisonFlags,
  update: Flags.boolean({ description: 'Write the files of --snapshot and --screenshot.' }),
};

export type ContentFlags = Partial<Interfaces.InferredFlags<typeof contentFlags>>;

export interface ContentCheck {
  /** `allPassed`: whether the checks before it passed. */
  run(email: CapturedEmail, allPassed: boolean, client: Client): Check | Promise<Check>;
  /** Whether it runs after all others. */
  last?: boolean;
  /** Whether it applies to the newest email only. */
  newestOnly?: boolean;
}

/** Returns the checks of the flags. @throws UsageError for an invalid value. */
export async function contentChecks(flags: ContentFlags, getStatus: (url: string) => Promise<number>) {
  const checks: ContentCheck[] = [];
  for (const text of flags.contains ?? []) {
    notEmpty('--contains', text);
    checks.push({ run: (email) => checkContains(email, text) });
  }
  for (const source of flags.matches ?? []) {
    const pattern = await regexOf(source);
    checks.push({ run: (email) => checkMatches(email, source, pattern) });
  }
  for (const text of flags['has-link'] ?? []) {
    notEmpty('--has-link', text);
    const pattern = await compiled('--has-link', () => textPattern(text));
    checks.push({ run: (email) => checkHasLink(email, text, pattern) });
  }
  if (flags['no-placeholders']) {
    const { checkNoPlaceholders } = await import('../../../client/checks/content.js');
    checks.push({ run: checkNoPlaceholders });
  }
  const { attachments, 'max-size': bytes, snapshot, update = false } = flags;
  if (attachments !== undefined) checks.push({ run: (email) => checkAttachments(email, attachments) });
  if (bytes !== undefined) checks.push({ run: (email) => checkMaxSize(email, bytes) });
  if (snapshot !== undefined) {
    notEmpty('--snapshot', snapshot);
    const run = (email: CheckedEmail, allPassed: boolean) => checkSnapshot(email, snapshot, { update, allPassed });
    checks.push({ run, newestOnly: true, last: update });
  }
  const { screenshot } = flags;
  if (update && snapshot === undefined && screenshot === undefined)
    throw new UsageError('--update requires --snapshot or --screenshot.');
  if (screenshot === undefined) {
    const given = Object.keys(comparisonFlags).find((name) => flags[name as keyof ContentFlags]);
    if (given !== undefined) throw new UsageError(`--${given} requires --screenshot.`);
  } else {
    notEmpty('--screenshot', screenshot);
    checks.push({ run: pictureCheck(screenshot, flags), newestOnly: true, last: update });
  }
  if (flags['links-ok']) checks.push({ run: (email) => checkLinksOk(email, getStatus) });
  return checks;
}

function pictureCheck(file: string, flags: ContentFlags): ContentCheck['run'] {
  const { dark, width, mask, threshold, update } = flags;
  return async ({ id, codes }, allPassed, client) => {
    if (update && !allPassed) return failed(`screenshot ${file}`, 'not written, because another check failed');
    const content = await contentOfEmail(client, id);
    return withPictures(flags['no-sandbox'] ?? false, async (pictures) => {
      const { compareWithBaseline } = await import('../../../pictures/baseline.js');
      const options = { dark, width, mask, threshold, update, howToUpdate: 'add --update' };
      return compareWithBaseline(pictures, file, content, { ...options, codes: codes.map(({ value }) => value) });
    });
  };
}

async function regexOf(text: string): Promise<TextPattern> {
  const regex = readRegex(text);
  if (!regex) {
    throw new UsageError(
      `--matches must be a regular expression in slashes, such as "/order \\d+/i", not ${quoted(text)}.`,
      'For a plain text, use --contains.',
    );
  }
  return compiled('--matches', () => regexPattern(regex.source, regex.ignoreCase));
}

/**
 * Compares an email with the snapshot in a file, or writes it unless another check failed.
 * @throws CommandError if the file cannot be read or written.
 */
async function checkSnapshot(
  email: CheckedEmail,
  file: string,
  { update, allPassed }: { update: boolean; allPassed: boolean },
): Promise<Check> {
  const { snapshotDiff, snapshotOf } = await import('../../../client/checks/snapshot.js');
  const name = `snapshot ${file}`;
  const found = snapshotOf(email);
  const expected = read(file);
  const diff = expected === undefined ? undefined : snapshotDiff(expected, found, file);
  if (expected !== undefined && diff === undefined) return passed(name, 'the email equals the snapshot');
  if (update && !allPassed) return failed(name, 'not written, because another check failed');
  if (update) {
    write(file, found);
    return passed(name, expected === undefined ? 'written' : 'updated');
  }
  if (expected === undefined) return failed(name, 'the file does not exist; to write it, add --update');
  return failed(name, 'the email differs from the snapshot; to accept it, add --update', diff);
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CommandError(`--snapshot: ${file} cannot be read: ${describeFileError(error)}.`);
  }
}

function write(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  } catch (error) {
    throw new CommandError(`--snapshot: ${file} cannot be written: ${describeFileError(error)}.`);
  }
}
