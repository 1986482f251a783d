import { constants } from 'node:os';
import { ApiFailure, NoControlError, UnreachableError } from '../../client/failures.js';
import { CommandEndedError } from '../../client/time-limit.js';
import { UnconfirmedError } from '../../client/writes.js';
import type { ErrorDetail } from '../../contract/vocabulary/error-detail.js';

/** Lists the exit codes, which scripts rely on. They are the same with and without --json. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  assertionFailed: 3,
  notPermitted: 4,
  unreachable: 5,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;

/** The general meaning of each exit code. A command can override it. */
export const exitCodeMeanings: Record<number, string> = {
  [exitCodes.done]: 'Success.',
  [exitCodes.failed]: 'The command failed, or the server returned an error.',
  [exitCodes.usage]: 'Invalid usage; nothing was done.',
  [exitCodes.assertionFailed]: 'An assertion, comparison or wait failed.',
  [exitCodes.notPermitted]: 'Not authenticated or not permitted.',
  [exitCodes.unreachable]: 'The server is unreachable.',
  [exitCodes.hungUp]: 'Stopped by SIGHUP (terminal closed).',
  [exitCodes.interrupted]: 'Stopped by SIGINT (Ctrl-C).',
  [exitCodes.terminated]: 'Stopped by SIGTERM.',
};

/** The code of sysexits.h for invalid usage. Commands that declare it have no codes but those that they declare. */
const EX_USAGE = 64;

/**
 * Returns the exit codes of a command with their meanings, lowest first. `own` are the meanings that the command
 * declares.
 */
export function exitCodesOf(own: Record<string, string>, callsServer: boolean): [code: string, meaning: string][] {
  const usual = EX_USAGE in own ? [] : [exitCodes.done, exitCodes.failed, exitCodes.usage];
  const calling = callsServer ? [exitCodes.notPermitted, exitCodes.unreachable] : [];
  const codes = new Set([...usual, ...calling, ...Object.keys(own).map(Number)]);
  return [...codes].sort((a, b) => a - b).map((code) => [String(code), own[code] ?? exitCodeMeanings[code] ?? '']);
}

/** The command line is invalid. The hint explains what to do instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  constructor(
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}

/** A query and the position of its problem, from 0, in UTF-16 code units. `flag` has the query. */
export interface QueryProblem {
  flag: string;
  query: string;
  position: number;
  detail: string;
}

/** A query is invalid. The report shows its position. */
export class QueryUsageError extends UsageError {
  constructor(
    message: string,
    hint: string | undefined,
    readonly problem: QueryProblem,
  ) {
    super(message, hint);
  }
}

/** The command failed for a reason that the user can resolve. */
export class CommandError extends Error {
  override readonly name = 'CommandError';

  constructor(
    message: string,
    readonly hint?: string,
    readonly details: readonly ErrorDetail[] = [],
  ) {
    super(message);
  }
}

/** What the command line names does not exist. Reported with the code of a 404 response. */
export class NotFoundError extends CommandError {}

/** The user answered a prompt with no. It is not an error, but what follows the command must not run either. */
export class DeclinedError extends Error {
  override readonly name = 'DeclinedError';

  constructor() {
    super('Nothing was changed.');
  }
}

/** The user pressed ^C at a prompt. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';

  constructor() {
    super('Interrupted.');
  }
}

/** An assertion failed. Each reason has its position. */
export class AssertionFailedError extends Error {
  override readonly name = 'AssertionFailedError';

  constructor(
    message: string,
    readonly details: readonly ErrorDetail[],
    readonly hint?: string,
  ) {
    super(message);
  }
}

const notPermitted = new Set([401, 403]);

/** Returns the signal that ended the command in a call, or ^C at a prompt. */
function signalOf(error: unknown): StopSignal | undefined {
  const cause = error instanceof UnconfirmedError ? error.cause : error;
  if (cause instanceof InterruptedError) return 'SIGINT';
  return cause instanceof CommandEndedError ? cause.signal : undefined;
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError || error instanceof NoControlError) return exitCodes.usage;
  if (error instanceof AssertionFailedError) return exitCodes.assertionFailed;
  const signal = signalOf(error);
  if (signal !== undefined) return signalExitCode(signal);
  if (error instanceof UnconfirmedError) return exitCodes.failed;
  if (error instanceof UnreachableError) return exitCodes.unreachable;
  if (error instanceof ApiFailure) return notPermitted.has(error.status) ? exitCodes.notPermitted : exitCodes.failed;
  const oclifExit = (error as { oclif?: { exit?: number } }).oclif?.exit;
  return oclifExit ?? exitCodes.failed;
}

export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export type StopSignal = (typeof STOP_SIGNALS)[number];

/** Returns the exit code of a process that a signal ended: 128 plus the signal’s number, as in a shell. */
export function signalExitCode(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}
