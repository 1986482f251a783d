import { SendmailError, sysexits } from './exit-codes.js';
import type { SendmailOptions } from './options.js';
import type { MailServer } from './server.js';

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
}

/** @throws SendmailError with the exit code for the caller. */
export async function deliver(message: Submission, { host, port, login }: MailServer): Promise<Submitted> {
  const { sendOverSmtp, SmtpFailure } = await import('../../relay/smtp-client.js');
  const target = {
    host,
    port,
    tls: 'opportunistic' as const,
    // A server of svc has a certificate of its own.
    verifyCertificate: false,
    login: login ? { ...login, required: false } : null,
  };
  try {
    return await sendOverSmtp(target, message);
  } catch (error) {
    if (!(error instanceof SmtpFailure)) throw error;
    const { step, reply } = error;
    const what = `${host}:${port}`;
    if (reply === null) {
      const hint = step === 'connect' ? 'Start the local server with "svc dev".' : undefined;
      throw new SendmailError(`Cannot send over ${what}: ${error.message}`, sysexits.temporaryFailure, hint);
    }
    throw new SendmailError(`${what} refused the message: ${reply}`, exitCodeOf(step, reply));
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
  return step === 'recipients' ? sysexits.noUser : sysexits.unavailable;
}
