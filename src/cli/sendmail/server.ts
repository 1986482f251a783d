import { UsageError } from '../errors/exit-codes.js';
import { requireRunningServer } from '../server/running-server.js';

/** The SMTP server of svc that sendmail passes messages to. */
export interface MailServer {
  host: string;
  port: number;
  /** For a server that requires a login, or for the workspace of the key. */
  login: { user: string; password: string } | undefined;
}

/** The name of a login in which only the password, an API key, counts. */
const USER = 'svc-sendmail';
const PORT_MAX = 65_535;

/** Returns the server that the environment names; undefined without SVC_SMTP_PORT. @throws UsageError for a wrong port. */
export function namedMailServer(env: NodeJS.ProcessEnv): MailServer | undefined {
  if (!env.SVC_SMTP_PORT) return undefined;
  const port = Number(env.SVC_SMTP_PORT);
  if (!Number.isInteger(port) || port < 1 || port > PORT_MAX) throw new UsageError('SVC_SMTP_PORT must be a port.');
  const password = env.SVC_SMTP_PASSWORD || env.SVC_API_KEY;
  const login = password ? { user: env.SVC_SMTP_USER || USER, password } : undefined;
  return { host: env.SVC_SMTP_HOST || '127.0.0.1', port, login };
}

/** Returns the server that runs on a data directory. @throws UnreachableError if none runs. */
export async function mailServerOf(dataDir: string): Promise<MailServer> {
  const { smtp, api_key: password } = await requireRunningServer(dataDir);
  return { ...smtp, login: { user: USER, password } };
}
