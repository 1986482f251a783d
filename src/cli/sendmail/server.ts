import { PORT_MAX } from '../../contract/vocabulary/limits.js';
import { UsageError } from '../errors/exit-codes.js';
import { requireRunningServer } from '../server/running-server.js';
import { isOwnAddress } from '../target/own-address.js';

/** The SMTP server of svc that sendmail passes messages to. */
export interface MailServer {
  host: string;
  port: number;
  /** For a server that requires a login, or for the workspace of the key. */
  login: { user: string; password: string } | undefined;
  /** Whether it is on this machine, where no one else can read a password on its way. */
  isLocal: boolean;
  /** The file with the certificate of the CA of a server on another machine, if it is not a public one. */
  caFile: string | undefined;
}

/** The name of a login in which only the password, an API key, counts. */
const USER = 'svc-sendmail';

/** Returns the server that the environment names; undefined without SVC_SMTP_PORT. @throws UsageError for a wrong port. */
export function namedMailServer(env: NodeJS.ProcessEnv): MailServer | undefined {
  if (!env.SVC_SMTP_PORT) return undefined;
  const port = Number(env.SVC_SMTP_PORT);
  if (!Number.isInteger(port) || port < 1 || port > PORT_MAX) throw new UsageError('SVC_SMTP_PORT must be a port.');
  const password = env.SVC_SMTP_PASSWORD || env.SVC_API_KEY;
  const login = password ? { user: env.SVC_SMTP_USER || USER, password } : undefined;
  const host = env.SVC_SMTP_HOST || '127.0.0.1';
  return { host, port, login, isLocal: isOwnAddress(host), caFile: env.SVC_CA_FILE || undefined };
}

/** Returns the server that runs on a data directory. @throws UnreachableError if none runs. */
export async function mailServerOf(dataDir: string): Promise<MailServer> {
  const { smtp, api_key: password } = await requireRunningServer(dataDir);
  return { ...smtp, login: { user: USER, password }, isLocal: true, caFile: undefined };
}
