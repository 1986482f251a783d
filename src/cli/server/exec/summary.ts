import { appendFileSync, writeFileSync } from 'node:fs';
import type { FoundEmail } from '../../../contract/control/emails/search.js';
import type { WarningReport } from '../../../contract/control/warning-report.js';
import type { DeliverySummary } from '../../../contract/control/webhooks.js';
import { plural } from '../../../contract/vocabulary/text.js';
import { warningText } from '../../../contract/vocabulary/warnings.js';
import { oneLine } from '../../output/text.js';
import { writingFile } from '../../process/files.js';
import type { Captured } from './artifacts/captured.js';

/** Writes a summary of a run in Markdown. */

/** Maximum number of rows of each table. */
const ROWS = 20;
const CELL_CHARACTERS = 120;

export interface SummaryContents {
  /** The command line, and how it ended. */
  command: string;
  outcome: string;
  statuses: ReadonlyMap<string, number>;
  newest: readonly FoundEmail[];
  /** Deliveries without success: those that failed, and those with a later attempt. */
  unsuccessful: { rows: readonly DeliverySummary[]; count: number };
  /** Undefined if it could not be read. */
  report: WarningReport | undefined;
  /** The directory of the artifacts, if they were written. */
  artifacts: string | undefined;
}

/** Reads the parts of a summary that the server has. */
export async function readSummary(
  captured: Captured,
): Promise<Pick<SummaryContents, 'statuses' | 'newest' | 'unsuccessful'>> {
  const statuses = new Map<string, number>();
  const newest: FoundEmail[] = [];
  for await (const email of captured.emails()) {
    statuses.set(email.status, (statuses.get(email.status) ?? 0) + 1);
    if (newest.length < ROWS) newest.push(email);
  }
  const unsuccessful = { rows: [] as DeliverySummary[], count: 0 };
  for await (const delivery of captured.deliveries()) {
    // The next attempt of a pending one is later than the end of the run.
    if (delivery.state === 'succeeded' || delivery.attempts === 0) continue;
    unsuccessful.count += 1;
    if (unsuccessful.rows.length < ROWS) unsuccessful.rows.push(delivery);
  }
  return { statuses, newest, unsuccessful };
}

/** Returns the summary in GitHub's Markdown. Text of emails and servers has no effect. */
export function summaryOf(contents: SummaryContents): string {
  const { command, outcome, statuses, newest, unsuccessful, report, artifacts } = contents;
  const total = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  const byStatus = [...statuses].map(([status, count]) => `${count} ${status}`).join(', ');
  return [
    `## svc: ${plural(total, 'email')}`,
    `${code(command)} ${outcome}.`,
    ...(total === 0 ? [] : [`Emails: ${byStatus}.`]),
    ...(artifacts === undefined ? [] : [`Artifacts: ${code(artifacts)}`]),
    ...unsuccessfulPart(unsuccessful),
    ...(report ? warningPart(report) : []),
    ...newestPart(newest, total),
    '',
  ].join('\n\n');
}

function unsuccessfulPart({ rows, count }: SummaryContents['unsuccessful']): string[] {
  if (count === 0) return [];
  const cells = rows.map(({ type, url, state, attempts, status, error }) => [
    escaped(type),
    codeCell(url),
    escaped(state),
    String(attempts),
    escaped(error ?? String(status ?? '')),
  ]);
  const columns = ['Event', 'URL', 'State', 'Attempts', 'Last result'];
  return [`### Unsuccessful webhook deliveries (${count})`, table(columns, cells)];
}

function warningPart({ warnings, omitted }: WarningReport): string[] {
  const listed = warnings.filter(({ level, refused }) => level === 'warning' || refused);
  if (listed.length === 0 && omitted === 0) return [];
  const cells = listed
    .slice(0, ROWS)
    .map((warning) => [warning.code, warning.route, warningText(warning), String(warning.count)].map(escaped));
  return [`### Warnings (${listed.length + omitted})`, table(['Warning', 'Request', 'Text', 'Occurrences'], cells)];
}

function newestPart(newest: readonly FoundEmail[], total: number): string[] {
  if (total === 0) return [];
  const title = total > newest.length ? `Newest ${newest.length} of ${total} emails` : 'Emails';
  const cells = newest.map(({ created_at, status, from, to, subject }) => [
    escaped(created_at),
    escaped(status),
    ...[from, to, subject].map(codeCell),
  ]);
  return [`### ${title}`, table(['Time', 'Status', 'From', 'To', 'Subject'], cells)];
}

function table(columns: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Escapes one line of text of svc or the server: no markup, no cell separator, no image, no HTML. */
function escaped(text: string): string {
  return shortened(text).replace(/[\\`*_~[\]<>|#!&$]/g, '\\$&');
}

/** Returns one line of text of an email. As code, because GitHub makes links of URLs, addresses and @names elsewhere. */
function codeCell(text: string): string {
  const line = shortened(text);
  return line === '' ? '' : code(line).replaceAll('|', '\\|');
}

function shortened(text: string): string {
  const line = oneLine(text.slice(0, CELL_CHARACTERS * 2)).trim();
  return line.length > CELL_CHARACTERS ? `${line.slice(0, CELL_CHARACTERS).toWellFormed()}…` : line;
}

/** Returns a text as code. */
function code(text: string): string {
  const line = oneLine(text).trim();
  const longest = Math.max(0, ...Array.from(line.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`;
}

/** Writes a summary to its file, after what other steps wrote to a shared one. */
export function writeSummary({ file, isShared }: { file: string; isShared: boolean }, text: string): void {
  writingFile(file, '--summary', () => (isShared ? appendFileSync(file, `${text}\n`) : writeFileSync(file, text)));
}
