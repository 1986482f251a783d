import { createHmac } from 'node:crypto';
import { unwatchFile, watchFile } from 'node:fs';
import { smtpOfTeam } from '../../../contract/vocabulary/domains.js';
import { inboxUrl } from '../../../contract/vocabulary/inbox.js';
import { SERVICE_PREFIX, siteOf } from '../../../contract/vocabulary/routes.js';
import { relayName } from '../../../contract/vocabulary/smtp.js';
import { oneLine, safeText } from '../../output/text.js';
import type { LocalServer } from '../local-server.js';
import type { KeyAndCert } from '../tls/certificates.js';
import { tlsAndLmtpOf } from '../tls/smtp-settings.js';

/** Describes a server for a team. Its output often becomes a log, so it contains no secrets. */

/** Returns the secret of temporary webhooks, which is the same on all replicas with the key. */
export function webhookSecretOf(apiKey: string): string {
  return `whsec_${createHmac('sha256', apiKey).update('temporary webhooks').digest('hex').slice(0, 48)}`;
}

/** Returns the object that `svc serve --json` prints: the fields of `svc dev`, and the address that HTTP listens on. */
export function teamFacts({ address, host, externalUrl }: LocalServer) {
  const { base_url, smtp, pid, data_dir } = address;
  const { tls, ...others } = tlsAndLmtpOf(address);
  const own = new URL(base_url);
  const publicUrl = externalUrl ?? siteOf(base_url);
  return {
    event: 'ready',
    inbox_url: inboxUrl(publicUrl),
    base_url: publicUrl + SERVICE_PREFIX,
    http: { host: own.hostname, port: Number(own.port) },
    smtp: smtpOfTeam(smtp, host, externalUrl),
    ...(tls && { tls: { ...tls, ...(tls.smtps && { smtps: smtpOfTeam(tls.smtps, host, externalUrl) }) } }),
    ...others,
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

/** Reads a certificate again when its files change. */

/**
 * How often the files are looked at. Notifications of the file system miss the links with which Kubernetes replaces
 * secrets.
 */
const LOOK_EVERY_MS = 2_000;

export interface CertificateFiles {
  files: readonly string[];
  /** Reads and checks the files. */
  read(): Promise<KeyAndCert>;
  onChange(certificate: KeyAndCert): void;
  /** Called with the reason why changed files cannot be used. The server keeps the certificate that it has. */
  onProblem(reason: string): void;
}

/** Watches the files until the returned function is called. SIGHUP reads them at once. */
export function watchCertificate({ files, read, onChange, onProblem }: CertificateFiles): () => void {
  let last = '';
  const look = () => {
    read().then(
      (certificate) => {
        if (certificate.cert + certificate.key === last) return;
        last = certificate.cert + certificate.key;
        onChange(certificate);
      },
      (error: Error) => onProblem(error.message),
    );
  };
  for (const file of files) watchFile(file, { interval: LOOK_EVERY_MS }, look);
  process.on('SIGHUP', look);
  return () => {
    for (const file of files) unwatchFile(file, look);
    process.off('SIGHUP', look);
  };
}
