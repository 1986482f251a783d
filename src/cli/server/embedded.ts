import type { Fetch } from '../../client/wire-request.js';
import { SERVICE_PREFIX } from '../../contract/vocabulary/routes.js';
import { createDataDir, databaseFile, readOrCreateCredentials } from '../data-dir/data-dir.js';
import { refuseForeignFiles } from '../data-dir/foreign-files.js';
import { checkResponses } from './check-responses.js';
import { reportMigration } from './migration-message.js';
import { unusableStore } from './unusable-store.js';

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
