/** Defines how clients connect and log in: TLS and AUTH. */

import type { LoginMode, StarttlsMode } from '../contract/vocabulary/smtp.js';

/** Private key and certificate chain, in PEM. */
export interface TlsFiles {
  key: string;
  cert: string;
}

export interface SmtpAccess {
  /** Undefined for a server without TLS. */
  tls?: TlsFiles;
  /** Whether the SMTP port offers STARTTLS, or requires it; undefined for neither. */
  starttls?: StarttlsMode;
  /** Whether clients may log in, must, or cannot. */
  login: LoginMode;
  /** Passwords by user name. Without users, any name and password is accepted. */
  users: ReadonlyMap<string, string>;
  /** Milliseconds without a byte from the client after which its connection is closed (default: 5 minutes). */
  idleMs?: number;
  /** Accepts no passwords except API keys and those of users, also without users. */
  checked?: boolean;
}

/** No TLS, and any name and password or none. */
export const OPEN_ACCESS: SmtpAccess = { login: 'any', users: new Map() };

/** Returns the refusal of a command that a listener does not offer; undefined if it does. */
export function disabledBy(
  command: 'STARTTLS' | 'AUTH',
  { starttls, login }: SmtpAccess,
  { lmtp = false }: { lmtp?: boolean | undefined },
): { reply: string; notice: string } | undefined {
  if (command === 'STARTTLS' && lmtp) {
    return {
      reply: 'STARTTLS is not offered over LMTP',
      notice: 'asked for STARTTLS, which is not offered over LMTP. Disable TLS in the client.',
    };
  }
  if (command === 'STARTTLS' && starttls === undefined) {
    return {
      reply: 'STARTTLS is not offered; start the server with --starttls',
      notice:
        'asked for STARTTLS, which is not offered. Start the server with --starttls, or disable TLS in the client.',
    };
  }
  if (command === 'AUTH' && login === 'off') {
    return {
      reply: 'AUTH is disabled by svc dev --smtp-auth off',
      notice: 'tried to log in, which --smtp-auth off disables. Leave out the flag, or the client’s user name.',
    };
  }
  return undefined;
}

/** The reply to mail and logins before TLS, with 530. */
export const STARTTLS_FIRST = 'use STARTTLS first; --starttls=required demands it';

/** Returns whether a client has to start TLS before it sends mail. */
export function needsTls({ secure, transmissionType }: SessionState, { starttls }: SmtpAccess): boolean {
  return starttls === 'required' && !secure && !transmissionType.includes('LMTP');
}

interface SessionState {
  secure: boolean;
  transmissionType: string;
}
