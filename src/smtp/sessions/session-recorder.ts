import { maskSecrets } from '../../contract/vocabulary/helpers/mask-secrets.js';
import { shortened } from '../../contract/vocabulary/helpers/shorten.js';
import type { SmtpAuth, SmtpClient, SmtpEnding, SmtpLine, SmtpTls } from '../../contract/vocabulary/smtp-sessions.js';
import type { NewSmtpSession } from '../../core/model/smtp-sessions.js';
import type { RecordedSession, SessionStart } from '../../core/streams/smtp-session-log.js';
import { KeptEnds } from './kept-ends.js';
import { printable, readCommand } from './shown-line.js';
import { Transactions } from './transactions.js';

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
  #command = { verb: '', shown: '' };
  #helo: string | null = null;
  #tls: SmtpTls | null = null;
  #auth: SmtpAuth | null = null;
  #error: string | null = null;
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

  get isSecure(): boolean {
    return this.#tls !== null;
  }

  secured(tls: SmtpTls): void {
    this.#tls = tls;
  }

  /** Records a line of the client. `isCredentials` is true for a line that continues AUTH. */
  command(line: string, isCredentials: boolean): void {
    this.#command = readCommand(line, isCredentials, this.#auth !== null);
    const { verb, shown } = this.#command;
    this.#push('client', shown);
    if (verb === 'QUIT') this.ended('quit');
    if (verb === 'AUTH' && !isCredentials) {
      this.#auth = { mechanism: (shown.split(' ')[1] ?? '').toUpperCase(), username: null, accepted: false };
    }
  }

  /** Records a reply, which may have several lines. */
  reply(text: string): void {
    for (const line of text.split('\r\n')) this.#push('server', printable(line));
    const code = Number(text.slice(0, 3));
    const shown = printable(text.slice(text.lastIndexOf('\n') + 1));
    this.#transactions.note(this.#command.verb, this.#command.shown, code, shown);
    if (code >= 400) this.#error ??= shown;
    if (code === 421) this.#isRefused = true;
    if (code < 300 && GREETINGS.has(this.#command.verb)) this.#helo = this.#command.shown.split(' ')[1] ?? null;
  }

  /** Records the result of a log-in. */
  authenticated(username: string, accepted: boolean): void {
    if (this.#auth) Object.assign(this.#auth, { username: shortened(printable(username)), accepted });
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
    if (this.#transactions.close(this.#ending === 'quit')) this.#error ??= `transaction incomplete: ${closed}`;
    if (this.#ending === 'timed_out' || this.#ending === 'refused') this.#error ??= closed;
  }

  describe(): NewSmtpSession {
    const gap = (omitted: number): SmtpLine => ({ ms: 0, from: 'note', text: `${omitted} lines omitted` });
    const lines = this.#lines.items(gap);
    return {
      ...this.begun,
      ms: this.#ms,
      client: this.client,
      helo: this.#helo,
      tls: this.#tls,
      auth: this.#auth && { ...this.#auth, username: this.#auth.username && maskSecrets(this.#auth.username) },
      ending: this.#ms === null ? null : this.#ending,
      error: this.#error && maskSecrets(this.#error),
      transactions: this.#transactions.list().map(masked),
      omittedTransactions: this.#transactions.omitted,
      // The lines that are left out have no time: that of the line before them counts.
      transcript: lines.map(({ ms, from, text }, at) => ({
        ms: Math.max(ms, lines[at - 1]?.ms ?? 0),
        from,
        text: maskSecrets(text),
      })),
    };
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

const CLOSED: Record<SmtpEnding, string> = {
  quit: 'closed after QUIT',
  client_closed: 'the client closed the connection',
  refused: 'the server closed the connection',
  timed_out: 'closed after a time-out',
  server_stopped: 'the server stopped',
};

function masked<T extends { mailFrom: string; recipients: string[]; reply: string | null }>(transaction: T): T {
  const { mailFrom, recipients, reply } = transaction;
  return {
    ...transaction,
    mailFrom: maskSecrets(mailFrom),
    recipients: recipients.map(maskSecrets),
    reply: reply && maskSecrets(reply),
  };
}
