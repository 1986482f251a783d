import { closeSync, openSync, writeFileSync } from 'node:fs';
import { Client } from '../../client/client.js';
import type { WarningReport } from '../../contract/control/warning-report.js';
import { version } from '../../version.js';
import type { RunningServer } from '../data-dir/server-file.js';
import { CommandError, exitCodes } from '../errors/exit-codes.js';
import { describeFileError } from '../errors/fs-errors.js';
import { networkFetch } from '../target/network-fetch.js';
import { junitOf } from './junit.js';

const TIMEOUT_SECONDS = 30;

/** Returns a function that reads the warnings of a server since this call. */
export async function startReport({ base_url, api_key }: RunningServer): Promise<() => Promise<WarningReport>> {
  const fetch = networkFetch(base_url, { timeoutSeconds: TIMEOUT_SECONDS, env: process.env });
  const client = new Client({ baseUrl: base_url, apiKey: api_key, userAgent: `svc-cli/${version}`, fetch });
  const since = (await client.control('info', {})).now;
  return () => client.control('report', { query: { since } });
}

export interface ReportFlags {
  junit?: string | undefined;
  'fail-on-warning': boolean;
}

/** Creates the file of a report if it does not exist. @throws CommandError if it cannot be written. */
export function checkReportFile(file: string): void {
  writing(file, () => closeSync(openSync(file, 'a')));
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
  const { junit } = flags;
  if (junit !== undefined) writing(junit, () => writeFileSync(junit, junitOf(report)));
  const failed = flags['fail-on-warning'] && report.warnings.some(({ level }) => level === 'warning');
  return failed ? exitCodes.assertionFailed : exitCodes.done;
}
