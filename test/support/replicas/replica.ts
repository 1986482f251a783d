import { createApp } from '../../../src/app/create-app.js';
import type { ReplicaSettings } from './replicas.js';

/** Runs one server of several on a database, until it is stopped. Prints a line of JSON when it is ready. */

const settings = JSON.parse(process.argv[2] ?? '') as ReplicaSettings;
const { skewMs = 0, smtpPort = 0, httpPort = 0, ...options } = settings;
if (skewMs !== 0) {
  // A machine whose clock is wrong. Time in svc comes from this function.
  const machine = Date.now;
  Date.now = () => machine() + skewMs;
}
const app = await createApp({
  dataDir: null,
  access: 'team',
  plan: 'none',
  allowedWebhookHosts: ['127.0.0.1'],
  ...options,
  onInternalError: (error) => console.error(error),
});
const { baseUrl, smtp } = await app.listen({
  http: { host: '127.0.0.1', port: httpPort },
  smtp: { host: '127.0.0.1', port: smtpPort },
});
process.once('SIGTERM', () => void app.close().then(() => process.exit(0)));
console.log(JSON.stringify({ base_url: baseUrl, smtp, api_key: options.apiKey, pid: process.pid }));
