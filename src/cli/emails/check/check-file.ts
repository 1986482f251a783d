import { existsSync } from 'node:fs';
import type { Checked, ContentReport, FileChecks } from '../../../app/file-checks.js';
import type { ClientViewId } from '../../../contract/vocabulary/client-views.js';
import { CommandError, UsageError } from '../../errors/exit-codes.js';
import { refuseSpecialFile } from '../../errors/fs-errors.js';
import { wholeFile } from '../import/source.js';
import { isHtmlFile } from './describe-checks.js';
import { type ListedView, withoutHtml } from './run-checks.js';

/** Checks a message or an HTML document in a file, without a server. */

/** @throws UsageError if the file cannot be read or is not a message; CommandError if it cannot be checked. */
export async function checkFile(
  path: string,
  views: readonly ClientViewId[],
): Promise<ContentReport & { views?: ListedView[] }> {
  if (!existsSync(path)) {
    throw new UsageError(
      `File ${path} not found. An argument with a dot or a slash names a file.`,
      'Check the path, or pass an email ID (msg_…), its last 6 or more characters, or latest.',
    );
  }
  refuseSpecialFile(path);
  const file = await wholeFile(path);
  if ('problem' in file) throw new UsageError(`Cannot check ${path}: ${file.problem}.`, FORMS);
  const content = isHtmlFile(path) ? htmlOf(path, file.bytes) : undefined;
  return withFileChecks(async (checks) => {
    const checked = content ? await checks.checkContent(content) : await checks.checkMessage(file.bytes);
    const report = reportOf(path, checked);
    if (views.length === 0 || !('content' in checked)) return report;
    return { ...report, views: await listViews(path, checked.content, views, checks) };
  });
}

/** Returns what mail clients change in content. @throws CommandError with its name, if it exceeds the limits. */
export async function listViews(
  name: string,
  { subject, html }: { subject: string | null; html: string },
  views: readonly ClientViewId[],
  { showAsClient }: Pick<FileChecks, 'showAsClient'>,
): Promise<ListedView[]> {
  const listed: ListedView[] = [];
  for (const client of views) {
    const input = { html, subject: subject ?? '', client, isDark: true, hasImages: true };
    const view = await showAsClient(input).catch((error: Error) => {
      throw new CommandError(`Cannot show ${name} as ${client}. ${error.message}`, SIMPLER);
    });
    listed.push(withoutHtml(view));
  }
  return listed;
}

const SIMPLER = 'Make its HTML and CSS smaller or simpler.';
const FORMS = 'Pass a message (.eml) or a file with HTML (.html).';

function htmlOf(path: string, bytes: Buffer) {
  try {
    const html = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { subject: null, html, text: null };
  } catch {
    throw new UsageError(`Cannot check ${path}: it is not valid UTF-8.`, FORMS);
  }
}

/** Runs checks of files, and ends their processes. */
export async function withFileChecks<T>(use: (checks: FileChecks) => Promise<T>): Promise<T> {
  const { createFileChecks } = await import('../../../app/file-checks.js');
  const checks = createFileChecks();
  try {
    return await use(checks);
  } finally {
    await checks.close();
  }
}

/** Returns the report of content. @throws UsageError or CommandError with its name, if it has none. */
function reportOf(name: string, checked: Checked): ContentReport {
  if ('report' in checked) return checked.report;
  if ('unreadable' in checked) {
    throw new UsageError(`Cannot check ${name}: it is not a message. ${checked.unreadable}`, FORMS);
  }
  throw new CommandError(`Cannot check ${name}. ${checked.problem}`, SIMPLER);
}
