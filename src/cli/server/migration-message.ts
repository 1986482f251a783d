import type { AppOptions } from '../../app/app.js';

type MigrationStep = Parameters<NonNullable<AppOptions['onMigration']>>[0];

/** Number of emails from which a migration takes more than about a second. */
const MANY_EMAILS = 10_000;

/** Describes a migration that takes long, in one line; undefined for a short one. */
export function describeMigration({ step, steps, emails }: MigrationStep): string | undefined {
  if (emails < MANY_EMAILS) return undefined;
  const part = steps === 1 ? '' : ` Step ${step} of ${steps}.`;
  return `Upgrading the database of ${emails.toLocaleString('en-US')} emails. This can take minutes.${part}`;
}

/** Announces a migration that takes long, on stderr by default. It blocks the process, so `write` must not wait. */
export function reportMigration(step: MigrationStep, write: (line: string) => void = toStderr): void {
  const line = describeMigration(step);
  if (line !== undefined) write(line);
}

function toStderr(line: string): void {
  process.stderr.write(`${line}\n`);
}
