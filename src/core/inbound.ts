import { normalizeAddress } from '../contract/address.js';
import { outcomes, readOutcome, SIMULATE_HEADER } from '../contract/outcome.js';
import type { Core } from './context.js';
import { sendOut } from './lifecycle.js';
import type {
  Email,
  EmailContent,
  Job,
  NewJob,
  ReceivedMessage,
  Recipient,
  RecipientKind,
  UnparsedMessage,
} from './model.js';
import type { ParsedMessage, ParseMessage } from './ports.js';
import type { Rush } from './rush.js';
import { StoreUnavailableError } from './store.js';

/**
 * Mail that comes in by SMTP. It is acknowledged once its bytes are on disk; it is parsed afterwards, and only then is it an
 * email, whose events begin: they carry its subject.
 */

/** Parses whatever is not parsed yet when it runs; one job waits for all of it. */
export interface IndexJob extends NewJob {
  kind: 'email.index';
  payload: Record<string, never>;
}

/** How many messages are parsed before they are written together. */
const BATCH = 64;

export class Inbound {
  #batch: Promise<void> | undefined;

  constructor(
    private readonly core: Pick<Core, 'store' | 'clock' | 'ids'>,
    private readonly parse: ParseMessage,
    private readonly rush: Rush,
    private readonly onFault: (error: unknown) => void,
  ) {}

  /** Keeps a message and resolves with its id when it is on disk. */
  async accept(message: ReceivedMessage): Promise<string> {
    const { store, clock, ids } = this.core;
    const now = clock.now();
    const id = ids.next('msg', now);
    const written = store.write(async (tx) => {
      await tx.received.insert({ ...message, id, createdAt: now });
      if (await tx.jobs.awaits('email.index', now)) return;
      const job: IndexJob = { kind: 'email.index', runAt: now, payload: {} };
      await tx.jobs.add(job);
    });
    await this.rush.admit(written);
    return id;
  }

  /** Resolves when every message accepted so far, by whatever process, is an email, or cannot be made one for now. */
  async settled(): Promise<void> {
    try {
      await this.#catchUp();
    } catch (error) {
      // What is readable is read all the same: the messages are kept, and their job tries again.
      if (!(error instanceof StoreUnavailableError)) this.onFault(error);
    }
  }

  /** Runs the job of whatever is unparsed: one batch at a time, so that a stop or a rush need not wait for all of them. */
  async index(job: Job): Promise<void> {
    await this.#parseNext();
    await this.core.store.write(async (tx) => {
      if (await tx.received.unparsedRange()) await tx.jobs.reschedule(job.seq, job.runAt);
      else await tx.jobs.complete(job.seq);
    });
  }

  async #catchUp(): Promise<void> {
    const { received } = this.core.store.read;
    const last = (await received.unparsedRange())?.last;
    while (last !== undefined && ((await received.unparsedRange())?.first ?? Number.POSITIVE_INFINITY) <= last) {
      await this.#parseNext();
    }
  }

  /** One batch at a time: who comes while one is under way waits for that. */
  #parseNext(): Promise<void> {
    this.#batch ??= this.#parseBatch().finally(() => {
      this.#batch = undefined;
    });
    return this.#batch;
  }

  async #parseBatch(): Promise<void> {
    const { store } = this.core;
    const messages = await store.read.received.unparsed(BATCH);
    const all: { message: UnparsedMessage; parsed: ParsedMessage }[] = [];
    for (const message of messages) all.push({ message, parsed: await this.#parse(message) });
    await Promise.all(all.map(({ message, parsed }) => this.#keepSomehow(message, parsed)));
  }

  /** A message that cannot be made an email is made one without content, which says why: no other has to wait for it. */
  async #keepSomehow(message: UnparsedMessage, parsed: ParsedMessage): Promise<void> {
    try {
      await this.#keep(message, parsed);
    } catch (error) {
      if (error instanceof StoreUnavailableError) throw error;
      this.onFault(error);
      await this.#keep(message, unreadable(message, error));
    }
  }

  /** Makes an email of a message, unless another process was faster. */
  #keep(message: UnparsedMessage, parsed: ParsedMessage): Promise<void> {
    return this.core.store.write(async (tx) => {
      if (!(await tx.received.takeUnparsed(message))) return;
      const recipients = recipientsOf(message, parsed);
      const email = emailOf(message, parsed.content, recipients);
      const outcome = parsed.simulate === null ? undefined : readOutcome(parsed.simulate);
      const sent = await sendOut(tx, this.core, email, recipients, outcome);
      await tx.emails.insertParsed(message.seq, sent.email, sent.recipients, parsed.attachments);
      for (const warning of sent.warnings) await tx.emails.warn(email.id, warning);
      if (parsed.simulate !== null && !outcome) await tx.emails.warn(email.id, unknownOutcome(parsed.simulate));
    });
  }

  async #parse(message: ReceivedMessage): Promise<ParsedMessage> {
    try {
      const parsed = await this.parse(message.bytes);
      if (parsed.content.from !== '') return parsed;
      return { ...parsed, content: { ...parsed.content, ...envelopeSender(message) } };
    } catch (error) {
      return unreadable(message, error);
    }
  }
}

/** Who sent a message that does not say it itself. */
function envelopeSender({ mailFrom }: ReceivedMessage): Pick<EmailContent, 'from' | 'fromMailbox'> {
  return { from: mailFrom, fromMailbox: normalizeAddress(mailFrom) };
}

function unreadable(message: ReceivedMessage, error: unknown): ParsedMessage {
  const content: EmailContent = {
    ...envelopeSender(message),
    subject: '',
    replyTo: null,
    html: '',
    text: '',
    parseError: error instanceof Error ? error.message : String(error),
  };
  return { content, to: [], cc: [], attachments: [], simulate: null };
}

/** Each mailbox of the envelope once. One that no header names is bcc; with nobody named, everybody is `to`. */
function recipientsOf(message: ReceivedMessage, parsed: ParsedMessage): Recipient[] {
  const kinds = kindsOf(parsed);
  const mailboxes = [...new Set(message.recipients.map(normalizeAddress))];
  const named = mailboxes.some((mailbox) => kinds.has(mailbox));
  return mailboxes.map((mailbox) => ({
    kind: named ? (kinds.get(mailbox) ?? 'bcc') : 'to',
    address: mailbox,
    mailbox,
    status: 'sent',
  }));
}

function emailOf({ id, createdAt }: UnparsedMessage, content: EmailContent, recipients: Recipient[]): Email {
  const to = recipients.filter(({ kind }) => kind === 'to');
  return {
    id,
    origin: 'smtp',
    status: 'sent',
    to: (to.length > 0 ? to : recipients).map(({ address }) => address).join(', '),
    templateId: null,
    variables: null,
    tags: [],
    trackOpens: false,
    trackClicks: false,
    createdAt,
    scheduledAt: null,
    sentAt: createdAt,
    deliveredAt: null,
    openedAt: null,
    opensCount: 0,
    clicksCount: 0,
    bounceReason: null,
    from: content.from,
    fromMailbox: content.fromMailbox,
    subject: content.subject,
    replyTo: content.replyTo,
    html: content.html,
    text: content.text,
    parseError: content.parseError,
  };
}

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
