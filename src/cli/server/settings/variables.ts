import { inboxUrl } from '../../../contract/vocabulary/inbox.js';
import { siteOf } from '../../../contract/vocabulary/routes.js';
import type { RunningServer } from '../../data-dir/server-file.js';
import type { SmtpClientSettings } from './frameworks.js';

/** The file for the certificate of a CA that is only in memory, as `svc dev ca` saves it. */
export const CA_FILE = 'ca.pem';

/** Returns what SMTP clients need. The user may be any name, because the password is an API key. */
export function smtpClientSettings({ smtp, tls, smtp_login, api_key }: RunningServer): SmtpClientSettings {
  return {
    ...smtp,
    starttls: tls?.starttls ?? undefined,
    caFile: tls && tls.ca !== null ? (tls.ca_file ?? CA_FILE) : undefined,
    login: smtp_login && { user: 'svc', password: api_key },
  };
}

/** Returns the environment variables that an application, or svc itself, needs to use a local server. */
export function serverVariables(server: RunningServer, dataDir: string): Record<string, string> {
  const { tls } = server;
  return {
    SVC_INBOX_URL: inboxUrl(siteOf(server.base_url)),
    SVC_BASE_URL: server.base_url,
    SVC_API_KEY: server.api_key,
    SVC_SMTP_HOST: server.smtp.host,
    SVC_SMTP_PORT: String(server.smtp.port),
    ...(tls?.smtps && { SVC_SMTP_TLS_PORT: String(tls.smtps.port) }),
    ...(tls?.ca_file && { SVC_CA_FILE: tls.ca_file }),
    SVC_WEBHOOK_SECRET: server.webhook_secret,
    SVC_DATA_DIR: dataDir,
  };
}
