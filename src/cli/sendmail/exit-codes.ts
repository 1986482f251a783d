import { UnreachableError } from '../../client/failures.js';
import { CommandError, UsageError } from '../errors/exit-codes.js';

/** The exit codes of sendmail (sysexits.h), which its callers read: 75 means that they may try again. */
export const sysexits = {
  ok: 0,
  usage: 64,
  noUser: 67,
  unavailable: 69,
  software: 70,
  temporaryFailure: 75,
  permission: 77,
  configuration: 78,
} as const;

/** A message was not accepted. */
export class SendmailError extends CommandError {
  constructor(
    message: string,
    readonly exitCode: number,
    hint?: string,
  ) {
    super(message, hint);
  }
}

export function sysexitOf(error: unknown): number {
  if (error instanceof SendmailError) return error.exitCode;
  if (error instanceof UsageError) return sysexits.usage;
  if (error instanceof UnreachableError) return sysexits.temporaryFailure;
  if (error instanceof CommandError) return sysexits.configuration;
  return sysexits.software;
}
