import { existsSync } from 'node:fs';
import type { DatabaseReport } from '../repair.js';
import type { Finding } from './checkup.js';
import { databaseFile } from './data-dir.js';
import { svcCommand } from './svc-command.js';

/** What `svc doctor` finds in the database of a data directory, and repairs. */

/** How many rows a finding names. */
const ROWS_NAMED = 3;

export interface DatabaseFindings {
  findings: Finding[];
  /** Every damaged row and failed job, in full. */
  damaged: { table: string; key: string; reason: string }[];
}

/** Reads the database file, whether or not a server has it open. */
export async function checkDatabase(dataDir: string): Promise<DatabaseFindings> {
  const file = databaseFile(dataDir);
  if (!existsSync(file)) return { findings: [], damaged: [] };
  const { DAMAGED_ADVICE, inspectDatabase } = await import('../repair.js');
  let report: DatabaseReport;
  try {
    report = await inspectDatabase(file);
  } catch (error) {
    return {
      findings: [badFile(`${file} cannot be checked: ${(error as Error).message}`, DAMAGED_ADVICE)],
      damaged: [],
    };
  }
  if (report.fileErrors[0] !== undefined)
    return { findings: [badFile(`${file} is damaged: ${report.fileErrors[0]}`, DAMAGED_ADVICE)], damaged: [] };
  const damaged = [...report.rows, ...report.failedJobs];
  return { findings: [rowFinding(report, dataDir)], damaged };
}

/** Moves what `checkDatabase` finds into the table `quarantine`. Answers how many rows are new in it. */
export async function repairDatabaseOf(dataDir: string): Promise<DatabaseFindings['damaged']> {
  const { repairDatabase } = await import('../repair.js');
  return repairDatabase(databaseFile(dataDir));
}

function rowFinding({ rows, failedJobs }: DatabaseReport, dataDir: string): Finding {
  const check = 'database';
  const all = [...rows, ...failedJobs];
  if (all.length === 0) return { check, ok: true, found: 'no damaged rows', cure: null };
  const named = all.slice(0, ROWS_NAMED).map(({ table, key, reason }) => `${table} ${key} (${reason})`);
  const more = all.length > ROWS_NAMED ? `, and ${all.length - ROWS_NAMED} more` : '';
  const counts = [
    rows.length > 0 && `${rows.length} damaged row${rows.length === 1 ? '' : 's'}`,
    failedJobs.length > 0 && `${failedJobs.length} failed job${failedJobs.length === 1 ? '' : 's'}`,
  ];
  return {
    check,
    ok: false,
    found: `${counts.filter(Boolean).join(' and ')}: ${named.join(', ')}${more}`,
    cure:
      `The server ignores them. List all with "${svcCommand('doctor', dataDir)} --json". ` +
      `Move them to the table "quarantine" with "${svcCommand('doctor', dataDir)} --repair".`,
  };
}

function badFile(found: string, cure: string): Finding {
  return { check: 'database', ok: false, found, cure };
}
