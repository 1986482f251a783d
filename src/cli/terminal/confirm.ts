import { CommandError, DeclinedError, UsageError } from '../errors/exit-codes.js';
import { oneLine } from '../output/text.js';
import { canPrompt } from './capabilities.js';
import { prompt } from './prompt.js';

/** The flags that answer a prompt in advance. */
export interface ConfirmOptions {
  yes: boolean;
  input: boolean;
}

/**
 * Asks for confirmation before data is deleted on a remote server.
 * @throws UsageError when the user cannot be asked and --yes was not given; DeclinedError when the answer is no.
 */
export async function confirmOnRemote(
  { kind, baseUrl }: { kind: string; baseUrl: string },
  what: string,
  options: ConfirmOptions,
): Promise<void> {
  if (kind === 'remote') await confirm(`${what} on ${baseUrl}`, options);
}

/**
 * Asks for confirmation before all data of a server is deleted, or `what`. A script can delete the data of a local
 * server without confirmation.
 * @throws as `confirmOnRemote` does.
 */
export async function confirmEmptying(
  target: { kind: string; baseUrl: string; skipped?: string | undefined },
  options: ConfirmOptions,
  what = 'all data',
): Promise<void> {
  refuseSkipped(target);
  if (target.kind !== 'remote' && !canPrompt(process.env, options.input)) return;
  await confirm(`Delete ${what} ${targetName(target)}`, options);
}

/**
 * Refuses to delete all data where the directory in use is probably not the intended one.
 * @throws CommandError when a nearer `.svc/` was not used.
 */
export function refuseSkipped({ skipped }: { skipped?: string | undefined }): void {
  if (skipped === undefined) return;
  throw new CommandError(
    `Nothing was changed: ${skipped} is not trusted, so a different data directory would be affected.`,
    'Name the data directory with --data-dir.',
  );
}

/** Returns the location of the data, in words. */
export function targetName({ kind, baseUrl }: { kind: string; baseUrl: string }): string {
  return kind === 'embedded' ? 'in the data directory' : `on ${baseUrl}`;
}

/**
 * Asks for confirmation before data is deleted.
 * @throws UsageError when the user cannot be asked and --yes was not given; DeclinedError when the answer is no;
 * InterruptedError on ^C.
 */
export async function confirm(question: string, { yes, input }: ConfirmOptions): Promise<void> {
  if (yes) return;
  if (!canPrompt(process.env, input)) {
    throw new UsageError(
      'Cannot ask for confirmation without a terminal.',
      `Pass --yes to ${question.charAt(0).toLowerCase()}${question.slice(1)}, or run the command on a terminal.`,
    );
  }
  const answer = await prompt(`${oneLine(question)}? [y/N] `);
  if (!/^y(es)?$/i.test(answer ?? '')) throw new DeclinedError();
}
