import { Readable } from 'node:stream';
import { rootCertificates } from 'node:tls';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { relayName } from '../contract/vocabulary/smtp.js';
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
/** RFC 5321 section 4.5.3.2.6: a client that gives up earlier sends a message twice that the server accepts later. */
const REPLY_TIMEOUT_MS = 600_000;

/** The fields of nodemailer's errors that are read here. */
interface ClientError extends Error {
  code?: string;
  /** The code of a system error, where `code` is nodemailer's. */
  originalCode?: string;
  command?: string;
  response?: string | false;
  /** One for each recipient, if all were refused. */
  rejectedErrors?: readonly Error[];
}

export const sendOverSmtp: SendOverSmtp = (target, message, signal) =>
  new Promise((resolve, reject) => {
    const connection = new SMTPConnection(connectionOptions(target));
    const content = Readable.from([Buffer.from(message.bytes)]);
    let isWhole = false;
    content.once('end', () => {
      isWhole = true;
    });
    const end = (failure: SmtpFailure) => {
      // Before the end of the connection is reported as the reason.
      reject(failure);
      connection.close();
    };
    const fail = (error: unknown) => end(failureOf(error as ClientError, target, isWhole));
    const stop = () => end(new SmtpFailure('ended', signal?.reason.message, null, { mayBeAccepted: isWhole }));
    if (signal?.aborted) return stop();
    signal?.addEventListener('abort', stop);
    connection.once('end', () => signal?.removeEventListener('abort', stop));
    // Also an error after the reply, such as a reset connection: the promise is settled by then.
    connection.on('error', fail);
    // After a refusal that ends the connection, which is reported next.
    connection.once('end', () =>
      setImmediate(() => reject(new SmtpFailure('connect', `${relayName(target)} closed the connection`, null))),
    );
    connection.connect((connectError) => {
      // The server closed the connection without a greeting.
      if (connectError) return fail(connectError);
      logIn(connection, target, (loginError) => {
        if (loginError) return fail(loginError);
        connection.send(envelopeOf(message), content, (error, info) => {
          if (error) return fail(error);
          resolve({
            reply: oneLine(info.response),
            rejected: rejectedOf(info.rejectedErrors ?? []),
            skippedLogin: mustSkipLogin(connection, target),
          });
          connection.quit();
        });
      });
    });
  });

function connectionOptions(target: SmtpTarget) {
  const { host, port, tls, verifyCertificate, ca, replyTimeoutMs = REPLY_TIMEOUT_MS } = target;
  return {
    host,
    port,
    secure: tls === 'tls',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    tls: { rejectUnauthorized: verifyCertificate, ...(ca !== undefined && { ca: [...rootCertificates, ca] }) },
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: replyTimeoutMs,
    // Closes at once: a connection that only ends would still send what it has, such as the end of the message.
    socketCloseTimeout: 0,
    allowInternalNetworkInterfaces: true,
  };
}

function mustSkipLogin({ secure }: SMTPConnection, { login }: SmtpTarget): boolean {
  return login?.onlyWithTls === true && !secure;
}

function logIn(connection: SMTPConnection, target: SmtpTarget, done: (error?: Error | null) => void): void {
  const { login } = target;
  if (login !== null && !mustSkipLogin(connection, target) && (connection.allowsAuth || login.required)) {
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

function failureOf(error: ClientError, target: SmtpTarget, isWhole: boolean): SmtpFailure {
  const { response, rejectedErrors = [] } = error;
  const step = stepOf(error);
  const reason = step === 'connect' || step === 'tls' ? `${relayName(target)}: ${error.message}` : error.message;
  const reply = response ? oneLine(response) : null;
  const rejected = rejectedOf(rejectedErrors);
  const mayBeAccepted = isWhole && reply === null && step === 'connect';
  return new SmtpFailure(step, oneLine(reason), reply, { rejected, mayBeAccepted });
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

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
