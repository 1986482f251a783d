import type { AppOptions } from '../../app/app.js';
import type { Fetch } from '../../client/wire-request.js';
import { SERVICE_PREFIX } from '../../contract/vocabulary/routes.js';
import { createDataDir, databaseFile, readOrCreateCredentials, refuseForeignFiles } from '../data-dir/data-dir.js';
import { CommandError } from '../errors/exit-codes.js';

/** The service in this process, on the data directory's database, without a network connection. */
export interface Embedded {
  baseUrl: string;
  apiKey: string;
  fetch: Fetch;
  /** Returns the time of the service’s clock, in milliseconds since 1970. */
  now(): number;
  /** Runs the jobs that are due, and closes the service. */
  finish(): Promise<void>;
}

/** The origin of in-process requests; no server listens on it. */
const EMBEDDED_ORIGIN = 'http://localhost';

export async function openEmbedded(dataDir: string): Promise<Embedded> {
  refuseForeignFiles(dataDir);
  createDataDir(dataDir);
  const { api_key, webhook_secret } = readOrCreateCredentials(dataDir);
  const { createApp } = await import('../../app/create-app.js');
  const app = await createApp({
    storage: { file: databaseFile(dataDir) },
    dataDir,
    apiKey: api_key,
    webhookSecret: webhook_secret,
    checkResponses: checkResponses(process.env),
    onMigration: (step) => reportMigration(step),
  }).catch((error: Error) => {
    throw unusableStore(error);
  });
  return {
    baseUrl: EMBEDDED_ORIGIN + SERVICE_PREFIX,
    apiKey: api_key,
    fetch: app.fetch,
    now: () => app.clock.now(),
    async finish() {
      try {
        await app.drain();
      } finally {
        await app.close();
      }
    },
  };
}

/**
 * Returns whether every response is checked against the contract. An invalid one becomes an `internal_error`. Tests of
 * the built command line use it, because they cannot enable the check in another way.
 */
export function checkResponses(env: NodeJS.ProcessEnv): boolean {
  return env.SVC_CHECK_RESPONSES === '1';
}

const OTHER_DATA_DIR = 'Choose another data directory with --data-dir or SVC_DATA_DIR';

/**
 * Returns the error of a command that cannot open the database, with the advice of the storage if it has any.
 * `alternative` completes the general advice.
 */
export function unusableStore(error: Error & { advice?: string | undefined }, alternative = ''): CommandError {
  return new CommandError(error.message, error.advice ?? `${OTHER_DATA_DIR}${alternative}.`);
}

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
