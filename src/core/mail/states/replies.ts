import { createHash } from 'node:crypto';
import type { BounceType } from '../../../contract/vocabulary/outcomes.js';

/**
 * Creates realistic replies of mail servers and visitors. The recipient's address selects one of several values, so
 * that a test receives the same values in every run.
 */

/** Common replies of mail servers, with the codes of RFC 3463. */
const bounces: Record<BounceType, readonly { code: string; reason: string }[]> = {
  hard: [
    { code: '550 5.1.1', reason: 'The mailbox does not exist' },
    { code: '550 5.2.1', reason: 'The mailbox is disabled and accepts no messages' },
    { code: '550 5.1.10', reason: 'No such recipient in this domain' },
    { code: '550 5.4.4', reason: 'The domain has no mail server' },
  ],
  soft: [
    { code: '452 4.2.2', reason: 'The mailbox is full' },
    { code: '451 4.7.1', reason: 'Greylisted, please try again later' },
    { code: '421 4.4.2', reason: 'The connection timed out' },
    { code: '451 4.3.2', reason: 'The server is not accepting messages at the moment' },
  ],
};

/** Codes for a reason without a code. RFC 3463: other or undefined status. */
const unspecified: Record<BounceType, string> = { hard: '550 5.0.0', soft: '450 4.0.0' };
const SMTP_REPLY = /^[45]\d\d[ -]/;

const visitors = [
  {
    ip: '192.0.2.24',
    userAgent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36',
  },
  {
    ip: '198.51.100.7',
    userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)',
  },
  {
    ip: '203.0.113.91',
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
  },
  { ip: '192.0.2.146', userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Thunderbird/140.0' },
] as const;

/** Returns the receiving server's reply to a message that it accepts. */
export function acceptedReply(emailId: string): string {
  return `250 2.0.0 OK: queued as ${emailId}`;
}

/** Returns the reply and the reason of a bounce: the given ones, or common ones. */
export function bounceReply(
  mailbox: string,
  type: BounceType,
  given: string | undefined,
): { reason: string; smtpResponse: string } {
  if (given !== undefined) {
    return { reason: given, smtpResponse: SMTP_REPLY.test(given) ? given : `${unspecified[type]} ${given}` };
  }
  const { code, reason } = pick(bounces[type], mailbox);
  return { reason, smtpResponse: `${code} <${mailbox}>: ${reason}` };
}

/** Returns the ID of a complaint in a feedback loop. It is the same for the same email and recipient. */
export function feedbackId(emailId: string, mailbox: string): string {
  return `fbl_${digest(`${emailId} ${mailbox}`).toString('hex', 0, 12)}`;
}

/** Returns the visitor that opens the email: an IP address that RFC 5737 reserves for documentation, and a user agent. */
export function visitorFor(mailbox: string): { ip: string; userAgent: string } {
  return pick(visitors, mailbox);
}

function pick<T>(values: readonly T[], seed: string): T {
  return values[digest(seed).readUInt32BE() % values.length] as T;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
