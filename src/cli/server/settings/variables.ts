import { inboxUrl } from '../../../contract/vocabulary/inbox.js';
import type { RunningServer } from '../../data-dir/server-file.js';

/** Returns the environment variables that an application, or svc itself, needs to use a local server. */
export function serverVariables(server: RunningServer, dataDir: string): Record<string, string> {
  const { tls } = server;
  return {
    SVC_INBOX_URL: inboxUrl(new URL(server.base_url).origin),
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
