import { createApp } from '../src/app/create-app.js';

/**
 * Runs the app on a store, in a process of its own: `node bench/run.js replica postgres://…`, or the path of a SQLite
 * file. `team` as the third argument adds the probes of a server for a team, and a fourth is the number of emails to keep.
 * Prints its ports as JSON.
 */
export async function main(): Promise<void> {
  const [storage = '', apiKey = '', access = 'local', keep] = process.argv.slice(3);
  const app = await createApp({
    storage: storage.startsWith('postgres:') ? { postgres: storage } : { file: storage },
    dataDir: null,
    apiKey,
    access: access === 'team' ? 'team' : 'local',
    webhookSecret: 'whsec_bench',
    plan: 'none',
    ...(keep !== undefined && { retention: { keep: Number(keep), maxAgeMs: null, keepIf: null } }),
    onInternalError: (error) => console.error(error),
  });
  const host = '127.0.0.1';
  const { baseUrl, smtp } = await app.listen({ http: { host, port: 0 }, smtp: { host, port: 0 } });
  console.log(JSON.stringify({ httpPort: Number(new URL(baseUrl).port), smtpPort: smtp.port }));
  process.once('SIGTERM', () => void app.close().then(() => process.exit(0)));
}
