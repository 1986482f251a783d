import { basename } from 'node:path';
import { Flags, type Interfaces } from '@oclif/core';
import type { Client } from '../../client/client.js';
import type { ClientView } from '../../contract/control/emails/check.js';
import { shownClients } from '../../contract/vocabulary/client-views.js';
import { PICTURE_WIDTH } from '../../contract/vocabulary/limits.js';
import type { Pictures } from '../../pictures/pictures.js';
import { CommandError, UsageError } from '../errors/exit-codes.js';
import { describeFileError } from '../errors/fs-errors.js';
import { percentFlag } from '../flags/values/value-types.js';
import { readInlineImages } from './page/save-email.js';
import { inspectIfPossible, missingContentNote } from './parse-state.js';

/** Takes pictures in a browser that the command starts, and ends. */

/** Flags that show content as a mail client does. */
export const clientFlags = {
  client: Flags.option({
    options: shownClients,
    description: 'Mail client whose view to show, which is approximate. Classic Outlook has none.',
    helpValue: 'NAME',
  })(),
  'no-images': Flags.boolean({
    description: 'Show the view of --client with images blocked.',
    dependsOn: ['client'],
  }),
};

export const pictureFlags = {
  dark: Flags.boolean({ description: 'Show the email to a user who prefers dark colors.' }),
  width: Flags.integer({
    description: 'Width of the picture in pixels (default: 600).',
    helpValue: 'PIXELS',
    ...PICTURE_WIDTH,
  }),
  'no-sandbox': Flags.boolean({
    description: 'Start the browser without its own sandbox, which root cannot use. Only for emails that you trust.',
  }),
};

export const comparisonFlags = {
  ...pictureFlags,
  mask: Flags.string({
    description: 'CSS selector of elements to hide in the picture, such as ".date"; repeatable.',
    helpValue: 'SELECTOR',
    multiple: true,
  }),
  threshold: percentFlag({ description: 'Percentage of pixels that may differ, such as 0.5 (default: 0).' }),
};

/**
 * Starts a browser, and ends it after `use`.
 * @throws CommandError if no browser can be started, or a picture cannot be taken.
 */
export async function withPictures<T>(noSandbox: boolean, use: (pictures: Pictures) => Promise<T>): Promise<T> {
  const { openPictures } = await import('../../pictures/pictures.js');
  try {
    const pictures = await openPictures({ env: process.env, noSandbox });
    try {
      return await use(pictures);
    } finally {
      await pictures.close();
    }
  } catch (error) {
    throw await asCommandError(error);
  }
}

/** Starts a browser, which the caller ends. If none can be started, calls `onFailure` with the reason. */
export async function openIfPossible(onFailure: (reason: string) => void): Promise<Pictures | undefined> {
  const { openPictures } = await import('../../pictures/pictures.js');
  return openPictures({ env: process.env, timeout: 10_000 }).catch((error: Error) => {
    onFailure(error.message);
    return undefined;
  });
}

async function asCommandError(error: unknown): Promise<unknown> {
  const { PictureError } = await import('../../pictures/pictures.js');
  if (error instanceof PictureError) return new CommandError(error.message, error.hint);
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === undefined || path === undefined) return error;
  return new CommandError(`Cannot write ${path}: ${describeFileError(error)}.`, 'Check the directory of the pictures.');
}

/** Returns what a picture of an email shows. On a server without a control API, inline images are missing. */
export async function contentOfEmail(client: Client, id: string) {
  const email = await client.call('emails.get', { params: { id } });
  const inspection = await inspectIfPossible(client, id);
  const images = inspection && email.html.includes('cid:') ? await readInlineImages(client, inspection) : undefined;
  const note = inspection && missingContentNote(email, inspection, undefined);
  return { html: email.html, subject: email.subject, text: note ?? email.text, images };
}

/**
 * Returns content as a mail client shows it, and the difference of the view; the same content without a client.
 * @throws CommandError if the HTML exceeds the limits of one message.
 */
export async function contentForClients<Content extends { html: string; subject: string }>(
  all: readonly Content[],
  { client, dark, 'no-images': noImages }: ClientFlags & { dark: boolean },
): Promise<(Content & { view?: ClientView })[]> {
  if (client === undefined) return [...all];
  const { withFileChecks } = await import('./check/check-file.js');
  return withFileChecks(async ({ showAsClient }) => {
    const shown: (Content & { view?: ClientView })[] = [];
    for (const content of all) {
      const { html, subject } = content;
      const input = { html, subject, client, isDark: dark, hasImages: !noImages };
      const view = await showAsClient(input).catch((error: Error) => {
        throw new CommandError(`Cannot show the HTML as ${client}. ${error.message}`, 'Make it smaller or simpler.');
      });
      shown.push(html === '' ? content : { ...content, html: view.html ?? html, view });
    }
    return shown;
  });
}

/** Returns what the result of a picture says about a view. */
export function viewSummary(view: ClientView | undefined): Partial<Omit<ClientView, 'html'>> {
  if (!view) return {};
  const { html: _, ...summary } = view;
  return summary;
}

type ClientFlags = Interfaces.InferredFlags<typeof clientFlags>;

/** Returns a warning about a picture that does not show the whole email; undefined if it does. */
export function cutNote(name: string, { cut, height }: { cut: boolean; height: number }): string | undefined {
  return cut ? `The picture of ${name} ends after ${height.toLocaleString('en-US')} pixels.` : undefined;
}

/**
 * Returns the file name of a template's picture: the name of its directory, that of its sample as in `order.long` for
 * `sample.long.json`, and what differs from the defaults.
 */
export function pictureName(
  directory: string,
  {
    dark,
    width,
    client,
    sample = '',
  }: { dark: boolean; width: number | undefined; client?: string | undefined; sample?: string },
): string {
  const name = basename(directory) + sample.replace(/^sample|\.json$/g, '');
  const parts = [name, client, width, dark ? 'dark' : undefined];
  return `${parts.filter((part) => part !== undefined).join('-')}.png`;
}

export type ComparisonFlags = Interfaces.InferredFlags<typeof comparisonFlags> & { update: boolean };

/** @throws UsageError for a flag of comparisons without a directory of baselines. */
export function requireBaseline(flags: ComparisonFlags & { baseline: string | undefined }): void {
  if (flags.baseline !== undefined) return;
  const given = [...Object.keys(comparisonFlags), 'update'].find((name) => flags[name as keyof ComparisonFlags]);
  if (given !== undefined) throw new UsageError(`--${given} requires --baseline.`);
}
