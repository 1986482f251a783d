import { realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { Client } from '../../../client/client.js';
import type { ReportedWarning, WarningReport } from '../../../contract/control/warning-report.js';
import { exitCodes, UsageError } from '../../errors/exit-codes.js';
import { isFailure, junitOf } from '../../output/formatters/warning-report.js';
import { checkOutputFile, writingFile } from '../../process/files.js';

/** Returns a function that reads the warnings of a server since this call. */
export async function startReport(client: Client): Promise<() => Promise<WarningReport>> {
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
    omitted_infos: after.omitted_infos - before.omitted_infos,
  };
}

interface ReportFlags {
  junit?: string | undefined;
  'fail-on-warning': boolean;
}

/**
 * Checks that the file of a report can be written, and removes an earlier report: if the command fails, a CI server must
 * not read that one. A link to it is kept. @throws CommandError if it cannot be written.
 */
export function prepareReportFile(file: string, flag = '--junit'): void {
  if (file === '') throw new UsageError(`${flag} must not be empty.`);
  checkOutputFile(file, flag);
  if (statSync(file, { throwIfNoEntry: false })?.isFile()) {
    writingFile(file, flag, () => rmSync(realpathSync(file)));
  }
}

/** @throws CommandError if the file cannot be written. */
export function writeReportFile(file: string, text: string, flag = '--junit'): void {
  writingFile(file, flag, () => writeFileSync(file, text));
}

/** Writes the file of a report, and returns the exit code. @throws CommandError if the file cannot be written. */
export function finishReport(report: WarningReport, flags: ReportFlags): number {
  if (flags.junit !== undefined) writeReportFile(flags.junit, junitOf(report));
  return failsOnWarning(report, flags) ? exitCodes.assertionFailed : exitCodes.done;
}

export function failsOnWarning(
  { omitted, warnings }: WarningReport,
  flags: Pick<ReportFlags, 'fail-on-warning'>,
): boolean {
  return flags['fail-on-warning'] && (omitted > 0 || warnings.some(isFailure));
}
