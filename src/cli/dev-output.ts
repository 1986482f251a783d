import type { RunningServer } from './data-dir.js';
import { oneLine } from './text.js';

/** What `svc dev` prints. */

export function readyLine(server: RunningServer, dataDir: string | null): string {
  const { base_url, smtp, api_key, webhook_secret, pid } = server;
  return `${JSON.stringify({ event: 'ready', base_url, smtp, api_key, webhook_secret, pid, data_dir: dataDir })}\n`;
}

export function describeServer(server: RunningServer, dataDir: string | null): string {
  const { base_url, smtp, api_key, webhook_secret } = server;
  return `svc is running.

  API             ${base_url}
  SMTP            ${smtp.host}:${smtp.port}
  API key         ${api_key}
  Webhook secret  ${webhook_secret}
  Data            ${dataDir ?? 'in memory, gone when the server stops'}

Try next, in another terminal:

  svc webhooks listen --forward-to http://localhost:3000/hooks
  svc emails send --to delivered@simulator.test
  svc emails list

Stop with Ctrl-C.

`;
}

/** An event for the log of a running server: time, type and whom it is about. */
export function lineOfEvent(payload: string): string {
  const { type, created_at, data } = JSON.parse(payload) as {
    type: string;
    created_at: string;
    data: Record<string, unknown>;
  };
  const subject = ['to', 'email_id', 'template_id', 'domain', 'name', 'subject']
    .map((field) => data[field])
    .filter((value) => typeof value === 'string' && value !== '');
  return `${created_at.slice(11, 19)}  ${type.padEnd(17)}  ${oneLine(subject.join('  '))}\n`;
}
