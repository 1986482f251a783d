import { existsSync } from 'node:fs';
import { plural } from '../../contract/vocabulary/text.js';
import type { DatabaseReport } from '../../storage/repair.js';
import type { Finding } from '../output/formatters/email.js';
import { databaseFile } from './data-dir.js';
import { svcCommand } from './svc-command.js';

/** Checks and repairs the database of a data directory for `svc doctor`. */

/** The number of rows that a finding lists by name. */
const ROWS_NAMED = 3;

export interface DatabaseFindings {
  findings: Finding[];
  /** All damaged rows and failed jobs. */
  damaged: { table: string; key: string; reason: string }[];
}

/** Returns the warning of a starting server about damaged rows that were quarantined before; undefined without any. */
export function unreviewedWarning(count: number, dataDir: string | null): string | undefined {
  if (count === 0 || dataDir === null) return undefined;
  return `${plural(count, 'damaged row')} ${count === 1 ? 'was' : 'were'} set aside earlier and not reviewed. Run: ${svcCommand('doctor', dataDir)}`;
}

/**
 * Returns the findings, with a quarantined clock as a problem: the time is right only because the stored clock is
 * ignored.
 */
export function withDamagedClock(findings: readonly Finding[], damaged: DatabaseFindings['damaged']): Finding[] {
  if (!damaged.some(({ table, key }) => table === 'settings' && key === 'clock')) return [...findings];
  return findings.map((finding) =>
    finding.check === 'clock' && finding.ok
      ? {
          ...finding,
          ok: false,
          found: 'the stored clock is damaged and ignored; the server uses this machine’s time',
          fix: 'If you moved the clock on purpose, set it again with "svc dev clock set". For details, see the database check.',
        }
      : finding,
  );
}

/** Checks the database file, which a server may have open. */
export async function checkDatabase(dataDir: string): Promise<DatabaseFindings> {
  const file = databaseFile(dataDir);
  const { adviceOf, causeOfOpening, checkDriver, DAMAGED_ADVICE, inspectDatabase, reasonOf } = await import(
    '../../storage/repair.js'
  );
  if (!existsSync(file)) {
    try {
      checkDriver();
      return { findings: [], damaged: [] };
    } catch (error) {
      const { message, advice = null } = error as Error & { advice?: string };
      return { findings: [{ check: 'database', ok: false, found: message, fix: advice }], damaged: [] };
    }
  }
  let report: DatabaseReport;
  try {
    report = await inspectDatabase(file);
  } catch (error) {
    const cause = causeOfOpening(error, file);
    const { advice } = error as { advice?: string };
    const fix = advice ?? adviceOf(cause) ?? 'Use another data directory with --data-dir or SVC_DATA_DIR.';
    return { findings: [badFile(`${file} cannot be checked: ${reasonOf(cause)}`, fix)], damaged: [] };
  }
  if (report.fileErrors[0] !== undefined)
    return { findings: [badFile(`${file} is damaged: ${report.fileErrors[0]}`, DAMAGED_ADVICE)], damaged: [] };
  const damaged = [...report.rows, ...report.failedJobs];
  return { findings: [rowFinding(report, dataDir)], damaged };
}

/** Moves the rows that `checkDatabase` finds into the table `quarantine`. Returns the rows that were moved now. */
export async function repairDatabaseOf(dataDir: string): Promise<DatabaseFindings['damaged']> {
  const { repairDatabase } = await import('../../storage/repair.js');
  return repairDatabase(databaseFile(dataDir));
}

function rowFinding({ rows, failedJobs }: DatabaseReport, dataDir: string): Finding {
  const check = 'database';
  const all = [...rows, ...failedJobs];
  if (all.length === 0) return { check, ok: true, found: 'no damaged rows', fix: null };
  const named = all.slice(0, ROWS_NAMED).map(({ table, key, reason }) => `${table} ${key} (${reason})`);
  const more = all.length > ROWS_NAMED ? `, and ${all.length - ROWS_NAMED} more` : '';
  const counts = [
    rows.length > 0 && plural(rows.length, 'damaged row'),
    failedJobs.length > 0 && plural(failedJobs.length, 'failed job'),
  ];
  return {
    check,
    ok: false,
    found: `${counts.filter(Boolean).join(' and ')}: ${named.join(', ')}${more}`,
    fix:
      `The server ignores them. List all with "${svcCommand('doctor', dataDir)} --json". ` +
      `Move them to the table "quarantine" with "${svcCommand('doctor', dataDir)} --repair".`,
  };
}

function badFile(found: string, fix: string): Finding {
  return { check: 'database', ok: false, found, fix };
}
