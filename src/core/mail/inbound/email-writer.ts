import { type Outcome, readOutcome } from '../../../contract/vocabulary/outcome.js';
import { domainOf } from '../../../contract/vocabulary/parsers/address.js';
import type { ServiceWarning } from '../../../contract/vocabulary/warnings.js';
import { filterAtOnce } from '../../at-once.js';
import type { Core, EventDeps } from '../../context.js';
import type { Email, Recipient } from '../../model/emails.js';
import type { UnparsedHead } from '../../model/received.js';
import type { ParsedMessage } from '../../ports.js';
import { rememberDomain, unannouncedDomain } from '../../resources/sending-domain.js';
import { StoreUnavailableError } from '../../store.js';
import type { Transaction } from '../../transaction.js';
import { dispatchEmail, scheduleSending, sendingDelay } from '../lifecycle.js';
import { type MessageParts, partsOf, withStoredParts } from '../message-parts.js';
import { simulatorWarnings } from '../outcomes.js';
import type { LargeContents } from './large-contents.js';
import { announced, messageWarnings, occurrenceOf } from './message-warnings.js';
import { emailOf, placeholderOf, recipientsOf, unreadable } from './received-email.js';
import { readRequested, renderRequested } from './service-headers.js';

/** Maximum number of messages that one transaction lists with their envelopes. */
const LISTED_AT_ONCE = 1_000;

export interface ParsedEmail {
  message: UnparsedHead;
  parsed: ParsedMessage;
}

/** What the emails of one transaction announce. */
interface Notes {
  warnings: { warning: ServiceWarning; message: UnparsedHead }[];
  /** Unverified domains that are announced for the first time. */
  domains: Set<string>;
}

export type EmailWriterDeps = EventDeps &
  Pick<Core, 'store' | 'deliveryDelayMs' | 'warningTally' | 'announcedDomains' | 'strict' | 'autoRelease'>;

/**
 * Writes the emails of messages that were received over SMTP.
 * @throws StoreUnavailableError when the store cannot write.
 */
export class EmailWriter {
  constructor(
    private readonly core: EmailWriterDeps,
    private readonly contents: LargeContents,
    private readonly onInternalError: (error: unknown) => void,
  ) {}

  /** Lists the unparsed messages up to `seq` with their envelopes until they are parsed. */
  async writePlaceholders(seq: number): Promise<void> {
    const { store } = this.core;
    // Usually every message is already listed, and even an empty write would flush the disk.
    let [next] = await store.read.received.unlisted({ from: 0, upTo: seq, limit: 1 });
    while (next) {
      const { seq: from } = next;
      await store.write(async (tx) => {
        for (const message of await tx.received.unlisted({ from, upTo: seq, limit: LISTED_AT_ONCE })) {
          const { email, recipients } = placeholderOf(message);
          await tx.emails.insertParsed(message.seq, email, recipients, []);
        }
      });
      [next] = await store.read.received.unlisted({ from, upTo: seq, limit: 1 });
    }
  }

  /** Writes emails in one transaction, or one by one if one of them cannot be written. */
  async writeAll(all: readonly ParsedEmail[]): Promise<void> {
    if (all.length === 0) return;
    try {
      await this.#write(async (tx, notes) => {
        for (const { message, parsed } of await filterAtOnce(all, ({ message }) => claim(tx, message)))
          await this.#insert(tx, notes, message, parsed);
      });
    } catch (error) {
      if (error instanceof StoreUnavailableError) throw error;
      await Promise.all(all.map(({ message, parsed }) => this.write(message, parsed)));
    }
  }

  /**
   * Writes an email. If it cannot be written, lists it with the reason instead of its content, so that it does not
   * block others.
   */
  async write(message: UnparsedHead, parsed: ParsedMessage): Promise<void> {
    try {
      await withStoredParts(this.contents, parsed, (parts, stored) =>
        this.#write(async (tx, notes) => {
          if (await claim(tx, message)) await this.#insert(tx, notes, message, parsed, parts);
          else for (const { key } of stored) await tx.contents.delete(key);
        }),
      );
    } catch (error) {
      if (error instanceof StoreUnavailableError) throw error;
      this.onInternalError(error);
      await this.#write(async (tx, notes) => {
        if (await claim(tx, message)) await this.#insert(tx, notes, message, unreadable(message, error));
      });
    }
  }

  /** Writes in a transaction, and counts the warnings after it: those of a failed one are found again. */
  async #write(run: (tx: Transaction, notes: Notes) => Promise<void>): Promise<void> {
    const notes = await this.core.store.write(async (tx) => {
      // A store may run a write twice.
      const found: Notes = { warnings: [], domains: new Set() };
      await run(tx, found);
      return found;
    });
    for (const domain of notes.domains) rememberDomain(domain, this.core);
    for (const { warning, message } of notes.warnings) {
      this.core.warningTally.record(warning, occurrenceOf(message), () => null);
    }
  }

  /** Inserts the email of a message that was claimed. */
  async #insert(
    tx: Transaction,
    notes: Notes,
    message: UnparsedHead,
    parsed: ParsedMessage,
    parts: MessageParts = partsOf(parsed),
  ): Promise<void> {
    const { simulate } = parsed.service;
    const outcome = simulate === null ? undefined : readOutcome(simulate);
    const requested = await requestedEmail(tx, message, parsed);
    // Before the outcomes are chosen, which uses up rules.
    const simulator = await simulatorWarnings(tx, outcome, requested.recipients);
    const sent = await this.#send(tx, requested, outcome);
    const { attachments, ...bodies } = parts;
    const stored = { ...sent.email, ...(requested.email.templateId === null && bodies) };
    await tx.emails.insertParsed(message.seq, stored, sent.recipients, attachments);
    const { email } = requested;
    const found = [...message.warnings, ...messageWarnings(message, parsed), ...requested.warnings, ...simulator];
    const domain = await this.#unannounced(tx, notes, email.fromMailbox);
    if (domain) found.push(domain);
    for (const warning of found.map(announced)) {
      await tx.emails.warn(email.id, warning);
      notes.warnings.push({ warning, message });
    }
  }

  /** Sends an email, or adds the job that sends it at its time. */
  async #send(
    tx: Transaction,
    { email, recipients }: Pick<RequestedEmail, 'email' | 'recipients'>,
    outcome: Outcome | undefined,
  ): Promise<Pick<RequestedEmail, 'email' | 'recipients'>> {
    if (email.scheduledAt === null) {
      return dispatchEmail(tx, this.core, { email, recipients, outcome, delayMs: sendingDelay(this.core) });
    }
    await scheduleSending(tx, email, outcome);
    return {
      email: { ...email, status: 'scheduled', sentAt: null },
      recipients: recipients.map((recipient) => ({ ...recipient, status: 'scheduled' as const })),
    };
  }

  async #unannounced(tx: Transaction, { domains }: Notes, mailbox: string): Promise<ServiceWarning | undefined> {
    if (mailbox === '') return undefined;
    const { announcedDomains } = this.core;
    const isAnnounced = (domain: string) => domains.has(domain) || announcedDomains.has(domain);
    const found = await unannouncedDomain(mailbox, { has: isAnnounced }, tx.domains);
    // A strict server announces each use.
    if (found && !this.core.strict) domains.add(domainOf(mailbox));
    return found;
  }
}

/** Claims a message. Returns false if another process has already inserted its email. */
async function claim(tx: Transaction, message: UnparsedHead): Promise<boolean> {
  if (!(await tx.received.claimUnparsed(message))) return false;
  await tx.emails.deletePlaceholder(message.seq);
  return true;
}

interface RequestedEmail {
  email: Email;
  recipients: Recipient[];
  warnings: ServiceWarning[];
}

/** Returns the email of a message, with what its X-Service-… headers request. */
async function requestedEmail(tx: Transaction, message: UnparsedHead, parsed: ParsedMessage): Promise<RequestedEmail> {
  const { createdAt } = message;
  const requested = readRequested(parsed.service, parsed.content, createdAt);
  const { tags, scheduledAt, variables, trackOpens, trackClicks } = requested;
  const { content, templateId, warnings } =
    requested.templateId === null
      ? { content: parsed.content, templateId: null, warnings: [] }
      : renderRequested(requested, parsed.content, await tx.templates.find(requested.templateId));
  const recipients = recipientsOf(message, parsed);
  const email = emailOf(message, content, recipients);
  return {
    email: { ...email, tags, scheduledAt, variables, trackOpens, trackClicks, templateId },
    recipients,
    warnings: [...requested.warnings, ...warnings],
  };
}
