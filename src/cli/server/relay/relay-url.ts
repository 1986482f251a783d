import { type RelayTls, relayTlsModes } from '../../../contract/vocabulary/smtp.js';
import { UsageError } from '../../errors/exit-codes.js';
import { readText } from '../../process/files.js';

/** An SMTP server to release emails to. */
export interface RelayServer {
  host: string;
  port: number;
  tls: RelayTls;
  user?: string;
  password?: string;
}

const SUBMISSION_PORT = 587;
const TLS_PORT = 465;

export function defaultRelayPort(tls: RelayTls): number {
  return tls === 'tls' ? TLS_PORT : SUBMISSION_PORT;
}

/**
 * Reads `smtp://user@host:587`, which requires STARTTLS unless `?tls=` names another mode, or `smtps://host`.
 * @throws UsageError, which does not repeat the URL: it may contain a password.
 */
export function readRelayUrl(text: string): RelayServer {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '' || !/^\/?$/.test(url.pathname)) {
    throw unusableRelay();
  }
  if (url.password !== '') {
    throw new UsageError(
      '--relay must not contain a password, because process listings show it.',
      'Set SVC_RELAY_PASSWORD, or pass --relay-password-file.',
    );
  }
  const tls = url.protocol === 'smtps:' ? 'tls' : tlsOf(url.searchParams.get('tls') ?? 'starttls');
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = url.port === '' ? defaultRelayPort(tls) : Number(url.port);
  return { host, port, tls, ...(url.username !== '' && { user: decoded(url.username) }) };
}

/** Returns the error for a value that is not repeated, because it may contain a password. */
export function unusableRelay(): UsageError {
  return new UsageError('--relay must be smtp://[USER@]HOST[:PORT], smtps://… or the name of a relay.');
}

function decoded(user: string): string {
  try {
    return decodeURIComponent(user);
  } catch {
    throw new UsageError('--relay: the user has a % that is not a percent-encoding.', 'Write % as %25.');
  }
}

function tlsOf(value: string): RelayTls {
  const mode = relayTlsModes.find((each) => each === value);
  if (mode) return mode;
  throw new UsageError(`--relay: tls must be one of ${relayTlsModes.join(', ')}.`);
}

/** Returns the first line of a file. `flag` is the flag or field that named it. @throws UsageError if it is empty. */
export async function readPassword(flag: string, file: string): Promise<string> {
  const [line] = (await readText(flag, file)).split(/\r?\n/, 1);
  if (line) return line;
  throw new UsageError(`${flag}: ${file} has no password in its first line.`);
}
