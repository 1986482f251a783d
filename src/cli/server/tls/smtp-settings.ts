import { isIP } from 'node:net';
import type { AppOptions, Listening, SmtpAccess } from '../../../app/app.js';
import { isUnspecified } from '../../../contract/vocabulary/domains.js';
import type { RunningServer } from '../../data-dir/server-file.js';
import { writeFileAtomically } from '../../process/files.js';
import type { KeyAndCert } from './certificates.js';
import type { ServerTls } from './tls-files.js';

/** How a local server speaks SMTP: TLS, logins and LMTP. */
export interface SmtpSettings extends Pick<SmtpAccess, 'login' | 'users' | 'starttls' | 'idleMs'> {
  /** Whether bounces are reported to senders. */
  bounceNotices: boolean;
  /** The port for TLS from the start; undefined for none. */
  tlsPort?: number;
  /** A certificate of the user, instead of one of the local CA. */
  certificate?: KeyAndCert;
  lmtpPort?: number;
  lmtpSocket?: string;
  /** Where a server in memory writes the certificate of its CA; else it is only in memory. */
  caFile?: string;
}

/** Returns the certificate of a server with TLS; undefined without TLS, which then costs nothing. */
export async function tlsFor(
  settings: SmtpSettings | undefined,
  storedIn: string | null,
  hosts: readonly string[],
): Promise<ServerTls | undefined> {
  if (!settings || (settings.starttls === undefined && settings.tlsPort === undefined)) return undefined;
  const { certificate, caFile } = settings;
  if (certificate) return { ...certificate, ca: null, caFile: null };
  const { localTls } = await import('./tls-files.js');
  const tls = await localTls(storedIn, namesOf(hosts));
  if (storedIn !== null || caFile === undefined) return tls;
  writeFileAtomically(caFile, tls.ca ?? '');
  return { ...tls, caFile };
}

/** Returns the options of the app for these settings. */
export function smtpOptions(
  settings: SmtpSettings | undefined,
  tls: ServerTls | undefined,
): Pick<AppOptions, 'smtpAccess' | 'bounceNotices'> {
  if (!settings) return {};
  const { login, users, starttls, idleMs, bounceNotices } = settings;
  return {
    bounceNotices,
    smtpAccess: {
      ...{ login, users },
      ...(idleMs !== undefined && { idleMs }),
      ...(starttls && { starttls }),
      ...(tls && { tls: { key: tls.key, cert: tls.cert } }),
    },
  };
}

/** Returns the addresses to listen on besides those of HTTP and SMTP. */
export function smtpListeners(settings: SmtpSettings | undefined, host: string) {
  const { tlsPort, lmtpPort, lmtpSocket } = settings ?? {};
  return {
    ...(tlsPort !== undefined && { smtps: { host, port: tlsPort } }),
    ...(lmtpPort !== undefined && { lmtp: { host, port: lmtpPort } }),
    ...(lmtpSocket !== undefined && { lmtpSocket }),
  };
}

/** Returns what commands and clients need to know about TLS, logins and LMTP; nothing for a server without them. */
export function smtpFacts(
  settings: SmtpSettings | undefined,
  tls: ServerTls | undefined,
  { smtps, lmtp }: Listening,
): Pick<RunningServer, 'tls' | 'lmtp' | 'lmtp_socket' | 'smtp_login'> {
  const { starttls = null, lmtpSocket, login } = settings ?? {};
  return {
    ...(login === 'required' && { smtp_login: login }),
    ...(tls && { tls: { starttls, smtps: smtps ?? null, ca_file: tls.caFile, ca: tls.ca } }),
    ...(lmtp && { lmtp }),
    ...(lmtpSocket !== undefined && { lmtp_socket: lmtpSocket }),
  };
}

/** Returns what a running server reports about TLS and LMTP, without the fields that it lacks. */
export function tlsAndLmtpOf({
  tls,
  lmtp,
  lmtp_socket,
}: RunningServer): Pick<RunningServer, 'tls' | 'lmtp' | 'lmtp_socket'> {
  return { ...(tls && { tls }), ...(lmtp && { lmtp }), ...(lmtp_socket !== undefined && { lmtp_socket }) };
}

/** Returns the names of the certificate: those of this machine for itself, and those that clients use for the server. */
function namesOf(hosts: readonly string[]): string[] {
  const own = ['localhost', '127.0.0.1', '::1'];
  const others = hosts.map((host) => (host.startsWith('[') ? host.slice(1, -1) : host).toLowerCase());
  return [...new Set([...own, ...others.filter((name) => !isUnspecified(name) && isCertifiable(name))])];
}

/** Names in certificates are ASCII. Allowed hosts of the flag are already in that form; a machine's name may not be. */
function isCertifiable(name: string): boolean {
  return isIP(name) !== 0 || /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(name);
}
