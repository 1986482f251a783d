import { createHmac } from 'node:crypto';
import { inboxUrl } from '../../../contract/vocabulary/inbox.js';
import { relayName } from '../../../contract/vocabulary/relay.js';
import { SERVICE_PREFIX, siteOf } from '../../../contract/vocabulary/routes.js';
import { oneLine, safeText } from '../../output/text.js';
import type { LocalServer } from '../local-server.js';
import { tlsAndLmtpOf } from '../tls/smtp-settings.js';

/** Describes a server for a team. Its output often becomes a log, so it contains no secrets. */

/** Returns the secret of temporary webhooks, which is the same on all replicas with the key. */
export function webhookSecretOf(apiKey: string): string {
  return `whsec_${createHmac('sha256', apiKey).update('temporary webhooks').digest('hex').slice(0, 48)}`;
}

/** Returns the object that `svc serve --json` prints: the fields of `svc dev`, and the address that HTTP listens on. */
export function teamFacts({ address, externalUrl }: LocalServer) {
  const { base_url, smtp, pid, data_dir } = address;
  const own = new URL(base_url);
  const publicUrl = externalUrl ?? siteOf(base_url);
  return {
    event: 'ready',
    inbox_url: inboxUrl(publicUrl),
    base_url: publicUrl + SERVICE_PREFIX,
    http: { host: own.hostname, port: Number(own.port) },
    smtp,
    ...tlsAndLmtpOf(address),
    api_key: null,
    webhook_secret: null,
    pid,
    data_dir,
  };
}

export function describeTeamServer(server: LocalServer, database: string | undefined): string {
  const { inbox_url, base_url, smtp, tls, data_dir } = teamFacts(server);
  const starttls = tls?.starttls ? `, STARTTLS ${tls.starttls}` : '';
  const smtps = tls?.smtps ? `  SMTP with TLS   ${relayName(tls.smtps)}\n` : '';
  return safeText(`svc is running.

  Inbox           ${inbox_url}
  API             ${base_url}
  SMTP            ${relayName(smtp)}${starttls}
${smtps}  Data            ${database === undefined ? oneLine(data_dir ?? '') : withoutPassword(database)}

Its log is on stderr. Commands need its address and a key:

  export SVC_BASE_URL=${base_url} SVC_API_KEY=…
  svc api-keys create --name ci

`);
}

function withoutPassword(database: string): string {
  const { host, pathname } = new URL(database);
  return `PostgreSQL, ${host}${pathname}`;
}
