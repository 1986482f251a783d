import { existsSync } from 'node:fs';
import { Flags } from '@oclif/core';
import type { Pagination } from '../../contract/fields.js';
import { OFFSET_MAX, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from '../../contract/vocabulary/limits.js';
import { UsageError } from '../errors/exit-codes.js';
import { quoted, shellQuote } from '../output/text.js';
import { readText } from '../process/files.js';
import { fills } from './request-field.js';

/** Declares the flags that several commands share. */

export const pageFlags = {
  limit: fills(
    'limit',
    Flags.integer({
      description: `Maximum number of items to list, 1 to ${PAGE_SIZE_MAX}.`,
      min: 1,
      max: PAGE_SIZE_MAX,
      default: PAGE_SIZE_DEFAULT,
    }),
  ),
  offset: fills(
    'offset',
    Flags.integer({ description: 'Number of items to skip (default: 0).', min: 0, max: OFFSET_MAX, default: 0 }),
  ),
};

export const allFlag = {
  all: Flags.boolean({
    description: 'Fetch all pages, printing results as they arrive.',
    exclusive: ['limit'],
  }),
};

export const yesFlag = {
  yes: Flags.boolean({ char: 'y', description: 'Skip the confirmation before changing a remote server.' }),
};

export const ifExistsFlag = {
  'if-exists': Flags.boolean({ description: 'Exit with 0 if it does not exist.' }),
};

export const bodyFlags = {
  html: fills('html', Flags.string({ description: 'HTML body.', exclusive: ['html-file'] }), (value) =>
    notAFile('--html', value, !value.includes('<'), /\.html?$/i),
  ),
  'html-file': fills(
    'html',
    Flags.string({ description: 'File that contains the HTML body, or - for stdin.', helpValue: 'FILE' }),
    (file) => readText('--html-file', file),
  ),
  text: fills('text', Flags.string({ description: 'Plain-text body.', exclusive: ['text-file'] }), (value) =>
    notAFile('--text', value, existsSync(value.slice(1)), /\.(?:txt|md)$/i),
  ),
  'text-file': fills(
    'text',
    Flags.string({ description: 'File that contains the plain-text body, or - for stdin.', helpValue: 'FILE' }),
    (file) => readText('--text-file', file),
  ),
};

/**
 * Returns the value of a flag for content. Other flags read a file for `@FILE`; here that is probably a mistake, and so is
 * the path of an existing file with the `ending` of such content.
 * @throws UsageError for it.
 */
function notAFile(flag: string, value: string, isName: boolean, ending: RegExp): string {
  const marked = value.startsWith('@') && isName ? value.slice(1) : undefined;
  const file = marked ?? (ending.test(value) && existsSync(value) ? value : undefined);
  if (file === undefined) return value;
  throw new UsageError(
    `${flag} must be the content itself, not ${quoted(value)}.`,
    `To read a file, pass ${flag}-file ${shellQuote(file)}.`,
  );
}

/**
 * Returns a hint such as "20 of 57 shown. For more, add --offset 20." unless the page is the last. `total_exact` is false
 * if only a part of the items was counted.
 */
export function moreHint(
  shown: number,
  { pagination, total_exact = true }: { pagination: Pagination; total_exact?: boolean },
): string | undefined {
  const { total, offset, has_more, limit } = pagination;
  const end = offset + shown;
  // Another service may not count.
  const known: number | undefined = total;
  const all = total_exact && known !== undefined ? `of ${known}` : `of at least ${Math.max(known ?? 0, end)}`;
  // Another service may not say whether there are more.
  if (has_more === undefined && shown === limit)
    return `${end} shown; there may be more. For the next, add --offset ${end}.`;
  return has_more ? `${end} ${all} shown. For more, add --offset ${end}.` : undefined;
}

/** Declares the flag of commands that open the browser. */
export const printFlag = {
  print: Flags.boolean({ description: 'Print the address, and do not open the browser.' }),
};
