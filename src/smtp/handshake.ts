import type { SmtpEnding, SmtpTls } from '../contract/vocabulary/smtp.js';
import type { LibraryConnection } from './library.js';

/** Describes TLS handshakes, and those that fail. */

/** An error of a TLS connection, as smtp-server and OpenSSL describe it. */
export type TlsError = Error & {
  code?: string | undefined;
  meta?: { remoteAddress?: string | undefined } | undefined;
};

export const TO_TRUST = '"svc dev ca --instructions" shows how clients trust it.';

/** A client that begins TLS on the port for SMTP without it. */
export const TLS_ON_PLAIN_PORT = {
  reason: 'the client began TLS without STARTTLS; use --smtp-tls-port',
  notice:
    'began TLS without STARTTLS. Start the server with --smtp-tls-port and use that port, or disable TLS in the client.',
};

/** Errors of OpenSSL about bytes that are not TLS. */
const NOT_TLS = /^ERR_SSL_(WRONG_VERSION_NUMBER|HTTP_REQUEST|PACKET_LENGTH_TOO_LONG|UNKNOWN_PROTOCOL)$/;

interface HandshakeFailure {
  reason: string;
  ending: SmtpEnding;
  /** A line for the log, about the client. */
  notice?: string;
}

/** Describes why no session began on a port with TLS. */
export function handshakeFailure({ code = '', message }: TlsError): HandshakeFailure {
  if (NOT_TLS.test(code)) {
    return {
      reason: 'the client spoke without TLS; this port begins with TLS',
      ending: 'refused',
      notice: 'spoke without TLS on the port of --smtp-tls-port. Enable TLS in the client, or use the SMTP port.',
    };
  }
  if (code === 'ERR_TLS_HANDSHAKE_TIMEOUT') {
    return { reason: 'the client began no TLS; this port begins with TLS', ending: 'timed_out' };
  }
  if (code === 'SocketError' || code === 'ECONNRESET') {
    const reason = 'the client closed the connection before a TLS handshake; this port begins with TLS';
    return { reason, ending: 'client_closed' };
  }
  if (code.includes('_ALERT_')) {
    const reason = `the TLS handshake failed: the client sent the alert ${wordsOf(code)}`;
    return { reason, ending: 'client_closed' };
  }
  return { reason: `the TLS handshake failed: ${code === '' ? message : wordsOf(code)}`, ending: 'refused' };
}

/** Returns the words of an OpenSSL code, such as `unknown ca` of `ERR_SSL_TLSV1_ALERT_UNKNOWN_CA`. */
export function wordsOf(code: string): string {
  const words = code.split('_ALERT_').at(-1) ?? '';
  return words
    .replace(/^ERR_SSL_/, '')
    .replaceAll('_', ' ')
    .toLowerCase();
}

export function tlsOf({ socket, tlsOptions }: LibraryConnection): SmtpTls {
  const cipher = tlsOptions || undefined;
  const version = 'getProtocol' in socket ? socket.getProtocol() : null;
  return { version: version ?? cipher?.version ?? '', cipher: cipher?.name ?? '' };
}
