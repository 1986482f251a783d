import { SMTP_RECEIVED_BYTES } from '../../contract/vocabulary/limits.js';
import type { SmtpTransaction } from '../../core/model/logs.js';
import { pathOf, readableBytes } from './shown-line.js';

/** Transactions of a session that are kept: the first and the last. */
const TRANSACTIONS_EACH = 25;
/** Characters of a transaction that counts as one. Of larger ones, fewer are kept. */
const SMALL_CHARACTERS = 1_024;
/** Accepted recipients that a transaction lists. */
const RECIPIENTS_MAX = 10;
/** Messages of a session whose beginning is kept. */
const RECEIVED_MAX = 4;

/** Follows the transactions of a session by its commands and their replies. */
export class Transactions {
  readonly #ended = new KeptEnds(sizeOf, TRANSACTIONS_EACH * SMALL_CHARACTERS, TRANSACTIONS_EACH * SMALL_CHARACTERS);
  #accepted = 0;
  #current: SmtpTransaction | undefined;
  /** Whether DATA was accepted, and the message has no reply yet. */
  #receiving = false;
  /** Whether a message was received that was not accepted. */
  #isUnaccepted = false;
  #received = 0;

  /** The number of messages that were stored. */
  get acceptedCount(): number {
    return this.#accepted;
  }

  get omitted(): number {
    return this.#ended.omitted;
  }

  list(): SmtpTransaction[] {
    return [...this.#ended.items(), ...(this.#current ? [this.#current] : [])];
  }

  /** Notes the reply to a command. */
  note(verb: string, command: string, code: number, reply: string): void {
    if (verb === 'MAIL') this.#mail(command, code, reply);
    else if (verb === 'RCPT') this.#recipient(command, code, reply);
    else if (verb === 'DATA') this.#data(code, reply);
    else if (RESETS.has(verb) && code < 400) this.#end('abandoned');
  }

  /** Notes that a message was stored. */
  accepted(emailId: string, bytes: number): void {
    if (this.#current) Object.assign(this.#current, { emailId, bytes });
  }

  /** Notes a message that was not accepted, and the beginning of it. */
  unaccepted(head: Uint8Array, bytes: number): void {
    if (!this.#current) return;
    this.#isUnaccepted = true;
    this.#current.bytes = bytes;
    if (bytes === 0 || this.#received === RECEIVED_MAX) return;
    this.#received += 1;
    this.#current.received = readableBytes(head.subarray(0, SMTP_RECEIVED_BYTES));
  }

  /** Whether the content of a message was expected, and the message has no reply yet. */
  get isReceiving(): boolean {
    return this.#receiving;
  }

  /** Ends with the session. Returns whether a transaction was broken. A stored message counts without its reply, too. */
  close(hasQuit: boolean): boolean {
    const state = this.#receiving || !hasQuit ? 'broken' : 'abandoned';
    return this.#end(this.#current?.emailId ? 'accepted' : state) === 'broken';
  }

  #mail(command: string, code: number, reply: string): void {
    if (this.#current) return;
    this.#current = begun(pathOf(command));
    if (code < 400) return;
    this.#current.reply = reply;
    this.#end('refused');
  }

  #recipient(command: string, code: number, reply: string): void {
    const current = this.#current;
    if (!current) return;
    if (code >= 400) {
      current.reply = reply;
      return;
    }
    current.recipientCount += 1;
    if (current.recipients.length < RECIPIENTS_MAX) current.recipients.push(pathOf(command));
  }

  #data(code: number, reply: string): void {
    const current = this.#current;
    if (!current) return;
    if (code === 354) this.#receiving = true;
    else if (code >= 400) {
      current.reply = reply;
      // Without a valid recipient, the client can still add one. A server that does not wait for the rest sends 421.
      if (this.#receiving && (this.#isUnaccepted || code !== 421)) this.#end('refused');
    } else {
      // A recipient may have been refused before.
      current.reply = null;
      this.#end('accepted');
    }
  }

  #end(state: SmtpTransaction['state']): SmtpTransaction['state'] | undefined {
    const current = this.#current;
    if (!current) return undefined;
    current.state = state !== 'accepted' && state !== 'broken' && current.reply !== null ? 'refused' : state;
    if (current.state === 'accepted') this.#accepted += 1;
    this.#ended.push(current);
    this.#current = undefined;
    this.#receiving = false;
    this.#isUnaccepted = false;
    return current.state;
  }
}

/** Returns the characters of a transaction, without a message that was not accepted. */
function sizeOf({ mailFrom, recipients, reply }: SmtpTransaction): number {
  const characters = recipients.reduce((sum, { length }) => sum + length, mailFrom.length + (reply?.length ?? 0));
  return Math.max(SMALL_CHARACTERS, characters);
}

/** Commands that end a transaction. */
const RESETS: ReadonlySet<string> = new Set(['RSET', 'HELO', 'EHLO', 'LHLO', 'STARTTLS', 'QUIT']);

function begun(mailFrom: string): SmtpTransaction {
  return {
    mailFrom,
    recipients: [],
    recipientCount: 0,
    bytes: 0,
    state: 'open',
    emailId: null,
    reply: null,
    received: null,
  };
}

/** Keeps the first and the last items of a list, up to a size of each. */
export class KeptEnds<Item> {
  readonly #first: Item[] = [];
  readonly #last: Item[] = [];
  #firstSize = 0;
  #lastSize = 0;
  #omitted = 0;

  constructor(
    private readonly sizeOf: (item: Item) => number,
    private readonly firstMax: number,
    private readonly lastMax: number,
  ) {}

  /** The number of items between the first and the last ones that are left out. */
  get omitted(): number {
    return this.#omitted;
  }

  push(item: Item): void {
    const size = this.sizeOf(item);
    if (this.#last.length === 0 && this.#omitted === 0 && this.#firstSize + size <= this.firstMax) {
      this.#first.push(item);
      this.#firstSize += size;
      return;
    }
    this.#last.push(item);
    this.#lastSize += size;
    while (this.#lastSize > this.lastMax) {
      this.#lastSize -= this.sizeOf(this.#last.shift() as Item);
      this.#omitted += 1;
    }
  }

  /** Returns the kept items, with one in place of those that are left out. */
  items(instead?: (omitted: number) => Item): Item[] {
    const gap = this.#omitted > 0 && instead ? [instead(this.#omitted)] : [];
    return [...this.#first, ...gap, ...this.#last];
  }
}
