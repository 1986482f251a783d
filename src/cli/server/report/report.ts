import { closeSync, existsSync, openSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { Client } from '../../../client/client.js';
import type { ReportedWarning, WarningReport } from '../../../contract/control/warning-report.js';
import type { RunningServer } from '../../data-dir/server-file.js';
import { CommandError, exitCodes } from '../../errors/exit-codes.js';
import { describeFileError } from '../../errors/fs-errors.js';
import { isFailure } from '../../output/formatters/warning-report.js';
import { networkFetch } from '../../target/network-fetch.js';
import { userAgent } from '../../target/target.js';
import { junitOf } from './junit.js';

const TIMEOUT_SECONDS = 30;

/** Returns a function that reads the warnings of a server since this call. */
export async function startReport({ base_url, api_key }: RunningServer): Promise<() => Promise<WarningReport>> {
  const fetch = networkFetch(base_url, { timeoutSeconds: TIMEOUT_SECONDS, env: process.env });
  const client = new Client({ baseUrl: base_url, apiKey: api_key, userAgent, fetch });
  const before = await client.control('report', {});
  return async () => newSince(before, await client.control('report', {}));
}

/** Subtracts by count, not by time, because tests may set the server's clock back. */
function newSince(before: WarningReport, after: WarningReport): WarningReport {
  // The server was restarted, so that its report is new.
  if (before.since !== after.since) return after;
  // The order is that of the first occurrence, so a warning keeps its place.
  const isNew = ({ count }: ReportedWarning, index: number) => count > (before.warnings[index]?.count ?? 0);
  return {
    ...after,
    warnings: after.warnings.filter(isNew),
    omitted: after.omitted - before.omitted,
    omitted_notes: after.omitted_notes - before.omitted_notes,
  };
}

export interface ReportFlags {
  junit?: string | undefined;
  'fail-on-warning': boolean;
}

/** Checks that the file of a report can be written, and leaves it as it was. @throws CommandError if it cannot. */
export function checkReportFile(file: string): void {
  const existed = existsSync(file);
  writing(file, () => closeSync(openSync(file, 'a')));
  // An empty file is not valid XML, and remains if the command cannot be run. A symbolic link to it is kept.
  if (!existed) rmSync(realpathSync(file));
}

/** @throws CommandError if the file cannot be written. */
export function writeReportFile(file: string, text: string): void {
  writing(file, () => writeFileSync(file, text));
}

function writing(file: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    throw new CommandError(`Cannot write ${file}: ${describeFileError(error)}.`, 'Choose another file with --junit.');
  }
}

/**
 * Writes the file of a report, and returns the exit code.
 * @throws CommandError if the file cannot be written.
 */
export function finishReport(report: WarningReport, flags: ReportFlags): number {
  if (flags.junit !== undefined) writeReportFile(flags.junit, junitOf(report));
  return failsOnWarning(report, flags) ? exitCodes.assertionFailed : exitCodes.done;
}

export function failsOnWarning({ omitted, warnings }: WarningReport, flags: ReportFlags): boolean {
  return flags['fail-on-warning'] && (omitted > 0 || warnings.some(isFailure));
}
