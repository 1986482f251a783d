import { readFileSync } from 'node:fs';
import { PORT_MAX } from '../../contract/vocabulary/limits.js';
import { relayName } from '../../contract/vocabulary/smtp.js';
import { isOwnAddress } from '../data-dir/server-file.js';
import { UsageError } from '../errors/exit-codes.js';
import { describeFileError } from '../errors/fs-errors.js';
import { requireRunningServer } from '../target/running-server.js';
import { SendmailError, type SendmailOptions, sysexits } from './options.js';

/** Passes a message to the SMTP port of svc. */

export interface Submission {
  mailFrom: string;
  recipients: string[];
  bytes: Uint8Array;
  dsn: SendmailOptions['dsn'];
}

export interface Submitted {
  reply: string;
  rejected: { address: string; reply: string }[];
  /** Whether there was no login, because the server offers no TLS. */
  skippedLogin: boolean;
}

/** Time for each reply: callers such as PHP wait for the command. */
const REPLY_TIMEOUT_MS = 60_000;

/** @throws SendmailError with the exit code for the caller. */
export async function deliver(message: Submission, server: MailServer): Promise<Submitted> {
  const { sendOverSmtp, SmtpFailure } = await import('../../relay/smtp-client.js');
  const name = relayName(server);
  try {
    return await sendOverSmtp(targetOf(server), message);
  } catch (error) {
    if (!(error instanceof SmtpFailure)) throw error;
    const { step, reply } = error;
    if (reply === null) {
      throw new SendmailError(`Cannot send over ${name}: ${error.message}`, sysexits.temporaryFailure, HINTS[step]);
    }
    const refused = step === 'login' ? 'the login' : 'the message';
    const hint = step === 'login' && !reply.startsWith('4') ? HINTS[step] : undefined;
    throw new SendmailError(`${name} refused ${refused}: ${reply}`, exitCodeOf(step, reply), hint);
  }
}

const HINTS: Record<string, string> = {
  connect: 'Start the local server with "svc dev".',
  login: 'Check SVC_SMTP_USER, and SVC_SMTP_PASSWORD or SVC_API_KEY.',
  tls: 'Set SVC_CA_FILE to the certificate of the server’s CA, which "svc dev ca" prints there.',
};

/** A password goes to this machine, or over TLS with a certificate that is valid for the host. */
function targetOf({ host, port, login, isLocal, caFile }: MailServer) {
  const isChecked = !isLocal && login !== undefined;
  return {
    ...{ host, port, tls: 'opportunistic' as const, replyTimeoutMs: REPLY_TIMEOUT_MS },
    verifyCertificate: isChecked,
    ...(isChecked && caFile !== undefined && { ca: certificateIn(caFile) }),
    login: login ? { ...login, required: false, onlyWithTls: !isLocal } : null,
  };
}

function certificateIn(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new SendmailError(`Cannot read SVC_CA_FILE ${file}: ${describeFileError(error)}.`, sysexits.configuration);
  }
}

/** Returns the error for recipients that were refused while others received the message. */
export function rejectedError(rejected: Submitted['rejected']): SendmailError {
  const reasons = rejected.map(({ address, reply }) => `${address} (${reply})`).join(', ');
  const isTemporary = rejected.every(({ reply }) => reply.startsWith('4'));
  return new SendmailError(
    `The message was not sent to ${reasons}.`,
    isTemporary ? sysexits.temporaryFailure : sysexits.noUser,
  );
}

function exitCodeOf(step: string, reply: string): number {
  if (reply.startsWith('4')) return sysexits.temporaryFailure;
  if (step === 'login') return sysexits.permission;
  return step === 'recipients' ? sysexits.noUser : sysexits.unavailable;
}

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
