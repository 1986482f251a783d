import { normalizeAddress } from '../contract/address.js';
import { outcomes, readOutcome, SIMULATE_HEADER } from '../contract/outcome.js';
import type { Core } from './context.js';
import { reportSent } from './lifecycle.js';
import type { Email, Job, NewJob, ReceivedMessage, RecipientKind } from './model.js';
import type { ParsedMessage, ParseMessage } from './ports.js';
import type { Rush } from './rush.js';

/**
 * Mail that comes in by SMTP. It is acknowledged once its bytes are on disk; it is parsed afterwards, and only then do its
 * events begin, because they carry its subject.
 */

export interface IndexJob extends NewJob {
  kind: 'email.index';
  payload: { emailId: string };
}

/** How long a reader waits for messages to be parsed. */
const PATIENCE_MS = 10_000;

/** How many messages may wait for a rush to be over: some seconds of parsing. */
const BACKLOG_MAX = 5_000;

export class Inbound {
  readonly #unparsed = new Map<string, { parsed: Promise<void>; done: () => void }>();

  constructor(
    private readonly core: Pick<Core, 'store' | 'clock' | 'ids'>,
    private readonly parse: ParseMessage,
    private readonly rush: Rush,
  ) {}

  /** Keeps a message and resolves with its id when it is on disk. */
  async accept(message: ReceivedMessage): Promise<string> {
    const { store, clock, ids } = this.core;
    const now = clock.now();
    const email = receivedEmail(ids.next('msg', now), message, now);
    const mailboxes = [...new Set(message.recipients.map(normalizeAddress))];
    const recipients = mailboxes.map((mailbox) => ({
      kind: 'to' as const,
      address: mailbox,
      mailbox,
      status: email.status,
    }));
    const job: IndexJob = { kind: 'email.index', runAt: now, payload: { emailId: email.id } };
    this.#await(email.id);
    try {
      const written = store.write(async (tx) => {
        await tx.emails.insert(email, recipients, []);
        await tx.emails.insertReceived(email.id, message);
        await tx.jobs.add(job);
      });
      await this.rush.admit(written);
    } catch (error) {
      this.#finish(email.id);
      throw error;
    }
    return email.id;
  }

  /** Whether what follows from a mail should wait, because more mail is coming in. */
  get holdsBack(): boolean {
    return this.rush.on && this.#unparsed.size < BACKLOG_MAX;
  }

  /** Resolves when every message accepted so far has been parsed, or cannot be for now. */
  async settled(): Promise<void> {
    if (this.#unparsed.size === 0) return;
    const waitedFor = [...this.#unparsed];
    // One whose parsing another process took over is never heard of here.
    const cancel = this.core.clock.after(PATIENCE_MS, () => this.#forget(waitedFor.map(([id]) => id)));
    await this.rush.hurry(Promise.all(waitedFor.map(([, { parsed }]) => parsed)));
    cancel();
  }

  /** Lets nobody wait for what is not parsed yet: the store cannot write, and has what is missing when it can again. */
  standStill(): void {
    this.#forget([...this.#unparsed.keys()]);
  }

  /** Runs a message's indexing job. */
  async index(job: Job): Promise<void> {
    const { store } = this.core;
    const { emailId } = job.payload as IndexJob['payload'];
    try {
      const message = await store.read.emails.received(emailId);
      const parsed = message && (await this.#parse(message));
      await store.write(async (tx) => {
        if (!(await tx.jobs.complete(job.seq))) return;
        const email = await tx.emails.find(emailId);
        if (!email || email.indexed || !parsed) return;
        await tx.emails.index(emailId, parsed.content, kindsOf(parsed), parsed.attachments);
        const indexed = { ...email, ...parsed.content };
        const outcome = parsed.simulate === null ? undefined : readOutcome(parsed.simulate);
        if (parsed.simulate !== null && !outcome) await tx.emails.warn(emailId, unknownOutcome(parsed.simulate));
        await reportSent(tx, this.core, indexed, await tx.emails.recipients(emailId), outcome);
      });
    } finally {
      this.#finish(emailId);
    }
  }

  async #parse(message: ReceivedMessage): Promise<ParsedMessage> {
    try {
      return await this.parse(message.bytes);
    } catch (error) {
      const content = { ...emptyContent(message), parseError: error instanceof Error ? error.message : String(error) };
      return { content, to: [], cc: [], attachments: [], simulate: null };
    }
  }

  #await(id: string): void {
    let done = () => {};
    const parsed = new Promise<void>((resolve) => {
      done = resolve;
    });
    this.#unparsed.set(id, { parsed, done });
  }

  #forget(ids: string[]): void {
    for (const id of ids) this.#finish(id);
  }

  #finish(id: string): void {
    this.#unparsed.get(id)?.done();
    this.#unparsed.delete(id);
  }
}

function emptyContent({ mailFrom }: ReceivedMessage) {
  const fromMailbox = normalizeAddress(mailFrom);
  return { from: mailFrom, fromMailbox, subject: '', replyTo: null, html: '', text: '', parseError: null };
}

function receivedEmail(id: string, message: ReceivedMessage, now: number): Email {
  return {
    ...emptyContent(message),
    id,
    origin: 'smtp',
    indexed: false,
    status: 'sent',
    to: message.recipients.join(', '),
    templateId: null,
    variables: null,
    tags: [],
    trackOpens: false,
    trackClicks: false,
    createdAt: now,
    scheduledAt: null,
    sentAt: now,
    deliveredAt: null,
    openedAt: null,
    opensCount: 0,
    clicksCount: 0,
    bounceReason: null,
  };
}

/** An envelope recipient that no header names is bcc. With nobody named, everybody is `to`. */
function kindsOf({ to, cc }: ParsedMessage): Map<string, RecipientKind> {
  const kinds = new Map<string, RecipientKind>();
  for (const mailbox of cc) kinds.set(mailbox, 'cc');
  for (const mailbox of to) kinds.set(mailbox, 'to');
  return kinds;
}

/** The message is accepted by then, so its sender can only be told here. */
function unknownOutcome(value: string): string {
  const shown = JSON.stringify(value.slice(0, 80));
  return `${SIMULATE_HEADER}: ${shown} is ignored; it must be one of ${outcomes.join(', ')}.`;
}
