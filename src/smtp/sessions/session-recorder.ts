import type { SmtpAuth, SmtpClient, SmtpEnding, SmtpLine, SmtpTls } from '../../contract/vocabulary/smtp.js';
import { shortened } from '../../contract/vocabulary/text.js';
import type { NewSmtpSession } from '../../core/model/logs.js';
import type { RecordedSession, SessionStart } from '../../core/streams/logs.js';
import { type Command, readCommand, shownLine } from './shown-line.js';
import { KeptEnds, Transactions } from './transactions.js';

/** Characters of a transcript that are kept: of its first lines, and of its last. */
const FIRST_CHARACTERS = 16 * 1024;
const LAST_CHARACTERS = 8 * 1024;
/** What a line takes besides its characters. */
const LINE_OVERHEAD = 32;

/** Records one session. Content of messages is not copied, except the beginning of one that is not accepted. */
export class SessionRecorder implements RecordedSession {
  readonly #lines = new KeptEnds<SmtpLine>(
    ({ text }) => text.length + LINE_OVERHEAD,
    FIRST_CHARACTERS,
    LAST_CHARACTERS,
  );
  readonly #transactions = new Transactions();
  readonly #startedAt: number;
  #command: Command = { verb: '', text: '' };
  #helo: string | null = null;
  #tls: SmtpTls | null = null;
  #auth: SmtpAuth | null = null;
  /** The refusal that counts. */
  #refusal: string | null = null;
  /** What went wrong besides replies, which takes precedence. */
  #failure: string | null = null;
  #ending: SmtpEnding | null = null;
  #ms: number | null = null;
  #isRefused = false;
  /** Resolves when the message that is being received is stored or refused. */
  #receiving: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly begun: SessionStart,
    private readonly client: SmtpClient,
    private readonly now: () => number,
  ) {
    this.#startedAt = now();
  }

  get id(): string {
    return this.begun.id;
  }

  get failed(): boolean {
    return this.#error !== null;
  }

  get #error(): string | null {
    return this.#failure ?? this.#refusal;
  }

  secured(tls: SmtpTls): void {
    this.#tls = tls;
  }

  /** Records a line of the client. `isCredentials` is true for a line that continues AUTH. */
  command(line: Buffer, isCredentials: boolean): void {
    this.#command = readCommand(line, isCredentials, this.#auth !== null);
    const { verb, text, mechanism = '' } = this.#command;
    this.#push('client', text);
    if (verb === 'QUIT') this.ended('quit');
    if (verb === 'AUTH' && !isCredentials) {
      this.#auth = { mechanism: mechanism.toUpperCase(), username: null, accepted: false };
    }
  }

  /** Records a reply, which may have several lines. */
  reply(text: string): void {
    this.#push('server', text);
    const code = Number(text.slice(0, 3));
    const { verb, text: command } = this.#command;
    this.#transactions.note(verb, command, code, text);
    // The last refusal decides the outcome, except that of a command in the wrong order, which follows another one.
    if (code >= 400 && !(code === 503 && this.#refusal !== null)) this.#refusal = text;
    if (code === 421) this.#isRefused = true;
    if (code < 300 && GREETINGS.has(verb)) this.#helo = command.trim().split(' ')[1] ?? null;
  }

  /** Records the reply of a server that stops, which refuses nothing. */
  dismissed(text: string): void {
    this.#push('server', text);
    this.ended('server_stopped');
  }

  /** Notes what is not a command or a reply. */
  note(text: string): void {
    this.#push('note', text);
  }

  /** Notes what went wrong besides replies. The first reason counts. */
  fail(reason: string): void {
    this.#failure ??= reason;
  }

  /** Records the result of a login. */
  authenticated(username: string, accepted: boolean): void {
    if (this.#auth) Object.assign(this.#auth, { username: shortened(username), accepted });
  }

  /** Records that a message was stored. */
  accepted(emailId: string, bytes: number): void {
    this.#push('note', `${bytes} bytes received, stored as ${emailId}`);
    this.#transactions.accepted(emailId, bytes);
  }

  /** Records a message that was not accepted. `head` is the beginning of what was received. */
  unaccepted(head: Uint8Array, bytes: number): void {
    this.#push('note', `${bytes} bytes received, not accepted`);
    this.#transactions.unaccepted(head, bytes);
  }

  /** Notes why the session ends. The first reason counts. */
  ended(ending: SmtpEnding): void {
    this.#ending ??= ending;
  }

  /** The session ends after this message. */
  receive(message: Promise<unknown>): void {
    this.#receiving = message.catch(() => {});
  }

  settled(): Promise<unknown> {
    return this.#receiving;
  }

  /** Records that the connection was closed. `ending` is the reason if none is noted. */
  close(ending: SmtpEnding): void {
    this.#ending ??= this.#isRefused && ending === 'client_closed' ? 'refused' : ending;
    const closed = CLOSED[this.#ending];
    this.#ms = this.#sinceStart();
    this.#push('note', closed);
    const isBrokenOff = this.#transactions.isReceiving && BREAKS.has(this.#ending);
    if (this.#transactions.close(this.#ending === 'quit')) {
      if (isBrokenOff || this.#refusal === null) this.fail(`transaction incomplete: ${closed}`);
    }
    if (this.#ending === 'timed_out' || this.#ending === 'refused') this.#refusal ??= closed;
  }

  describe(): NewSmtpSession {
    return {
      ...this.begun,
      ms: this.#ms,
      client: this.client,
      helo: this.#helo && shownLine(this.#helo),
      tls: this.#tls,
      auth: this.#auth && { ...this.#auth, username: this.#auth.username && shownLine(this.#auth.username) },
      ending: this.#ms === null ? null : this.#ending,
      error: this.#error && shownLine(this.#error),
      transactions: this.#transactions.list().map(shown),
      accepted: this.#transactions.acceptedCount,
      omittedTransactions: this.#transactions.omitted,
      transcript: this.#transcript(),
    };
  }

  #transcript(): SmtpLine[] {
    const gap = (omitted: number): SmtpLine => ({
      ms: 0,
      from: 'note',
      text: `${omitted} commands and replies omitted`,
    });
    let last = 0;
    return this.#lines.items(gap).flatMap(({ ms, from, text }) => {
      // What is left out has no time, and the machine's clock may be set back.
      last = Math.max(last, ms);
      return text.split('\r\n').map((line) => ({ ms: last, from, text: shownLine(line) }));
    });
  }

  #push(from: SmtpLine['from'], text: string): void {
    this.#lines.push({ ms: this.#sinceStart(), from, text });
  }

  /** Returns whole milliseconds. The machine's clock may be set back. */
  #sinceStart(): number {
    return Math.max(0, this.now() - this.#startedAt);
  }
}

const GREETINGS: ReadonlySet<string> = new Set(['HELO', 'EHLO', 'LHLO']);

/** Endings without a reply that has the reason. */
const BREAKS: ReadonlySet<SmtpEnding> = new Set(['client_closed', 'server_stopped']);

const CLOSED: Record<SmtpEnding, string> = {
  quit: 'closed after QUIT',
  client_closed: 'the client closed the connection',
  refused: 'the server closed the connection',
  timed_out: 'closed after a time-out',
  server_stopped: 'the server stopped',
};

function shown<T extends { mailFrom: string; recipients: string[]; reply: string | null }>(transaction: T): T {
  const { mailFrom, recipients, reply } = transaction;
  return {
    ...transaction,
    mailFrom: shownLine(mailFrom),
    recipients: recipients.map(shownLine),
    reply: reply && shownLine(reply),
  };
}
