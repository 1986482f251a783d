import SMTPConnection from 'nodemailer/lib/smtp-connection';
import {
  type OutgoingMessage,
  type SendOverSmtp,
  SmtpFailure,
  type SmtpResult,
  type SmtpStep,
  type SmtpTarget,
} from '../core/outgoing-mail.js';

/** Sends messages to SMTP servers, with nodemailer. It converts line ends to CRLF, and changes nothing else. */

export { SmtpFailure };

/** Time for the connection and for the greeting. */
const CONNECT_TIMEOUT_MS = 15_000;
/** Time without any data. RFC 5321 section 4.5.3.2 allows servers minutes for some replies. */
const SILENCE_TIMEOUT_MS = 60_000;

/** The fields of nodemailer's errors that are read here. */
interface ClientError extends Error {
  code?: string;
  /** The code of a system error, where `code` is nodemailer's. */
  originalCode?: string;
  command?: string;
  response?: string | false;
}

export const sendOverSmtp: SendOverSmtp = (target, message) =>
  new Promise((resolve, reject) => {
    const connection = new SMTPConnection(connectionOptions(target));
    const fail = (error: unknown) => {
      // Before the end of the connection is reported as the reason.
      reject(failureOf(error as ClientError, target));
      connection.close();
    };
    // Also an error after the reply, such as a reset connection: the promise is settled by then.
    connection.on('error', fail);
    // After a refusal that ends the connection, which is reported next.
    connection.once('end', () =>
      setImmediate(() => reject(new SmtpFailure('connect', `${nameOf(target)} closed the connection`, null))),
    );
    connection.connect(() => {
      logIn(connection, target, (loginError) => {
        if (loginError) return fail(loginError);
        connection.send(envelopeOf(message), Buffer.from(message.bytes), (error, info) => {
          if (error) return fail(error);
          resolve({ reply: oneLine(info.response), rejected: rejectedOf(info.rejectedErrors ?? []) });
          connection.quit();
        });
      });
    });
  });

function connectionOptions({ host, port, tls, verifyCertificate }: SmtpTarget) {
  return {
    host,
    port,
    secure: tls === 'tls',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    tls: { rejectUnauthorized: verifyCertificate },
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    allowInternalNetworkInterfaces: true,
  };
}

function logIn(connection: SMTPConnection, { login }: SmtpTarget, done: (error?: Error | null) => void): void {
  if (login !== null && (connection.allowsAuth || login.required)) {
    connection.login({ user: login.user, pass: login.password }, done);
  } else {
    done();
  }
}

function envelopeOf({ mailFrom, recipients, bytes, dsn = {} }: OutgoingMessage) {
  const { notify, ret, envid } = dsn;
  return {
    from: mailFrom === '' ? (false as const) : mailFrom,
    to: [...recipients],
    size: bytes.byteLength,
    use8BitMime: bytes.some((byte) => byte > 0x7f),
    ...((notify ?? ret ?? envid) !== undefined && { dsn: { notify, ret, envid } }),
  };
}

function rejectedOf(errors: readonly Error[]): SmtpResult['rejected'] {
  return errors.map((error) => {
    const { recipient = '', response } = error as ClientError & { recipient?: string };
    return { address: recipient, reply: oneLine(response || error.message) };
  });
}

function failureOf(error: ClientError, target: SmtpTarget): SmtpFailure {
  const { response } = error;
  const step = stepOf(error);
  const reason = step === 'connect' || step === 'tls' ? `${nameOf(target)}: ${error.message}` : error.message;
  return new SmtpFailure(step, oneLine(reason), response ? oneLine(response) : null);
}

const STEP_OF_COMMAND: Record<string, SmtpStep> = {
  'MAIL FROM': 'sender',
  'RCPT TO': 'recipients',
  DATA: 'content',
};

/** Errors of certificates and of the handshake. */
const TLS_ERROR = /^(ETLS|ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

function stepOf({ code = '', originalCode = '', command = '' }: ClientError): SmtpStep {
  if (code === 'EAUTH' || command.startsWith('AUTH')) return 'login';
  if (TLS_ERROR.test(code) || TLS_ERROR.test(originalCode) || command === 'STARTTLS') return 'tls';
  if (code === 'EMESSAGE') return 'content';
  return STEP_OF_COMMAND[command] ?? 'connect';
}

function nameOf({ host, port }: SmtpTarget): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
