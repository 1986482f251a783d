import type { SMTPServerDataResult, SMTPServerSession } from 'smtp-server';

/** LMTP answers the end of a message once for each accepted RCPT command. RFC 2033 section 4.2. */

type Callback = (error?: Error | null, reply?: string | SMTPServerDataResult[]) => void;

/**
 * Counts accepted recipients. smtp-server keeps a repeated recipient once and would answer once, while its client waits
 * for another reply.
 */
export class AcceptedRecipients {
  // smtp-server creates an envelope for each transaction.
  readonly #counts = new WeakMap<object, number>();

  add({ envelope }: SMTPServerSession): void {
    this.#counts.set(envelope, (this.#counts.get(envelope) ?? 0) + 1);
  }

  /** Returns a function that replies to the content of a message: once over SMTP, once per recipient over LMTP. */
  replier({ envelope, transmissionType }: SMTPServerSession, callback: Callback): (result: string | Error) => void {
    const isLmtp = transmissionType.includes('LMTP');
    const count = this.#counts.get(envelope) ?? 0;
    return (result) => {
      if (isLmtp)
        callback(
          null,
          Array.from({ length: count }, () => result),
        );
      else if (typeof result === 'string') callback(null, result);
      else callback(result);
    };
  }
}
