import { domainOf } from '../../../contract/vocabulary/addresses.js';
import { type Outcome, readOutcome } from '../../../contract/vocabulary/outcomes.js';
import type { ServiceWarning } from '../../../contract/vocabulary/warnings.js';
import { rememberDomain, unannouncedDomain } from '../../account/sending-domain.js';
import type { Core, EventDeps } from '../../context.js';
import type { Email, EmailWithoutBodies } from '../../model/emails.js';
import type { ReceivedHead } from '../../model/received.js';
import type { ShownContent } from '../../model/search.js';
import type { ParsedMessage } from '../../ports.js';
import { StoreUnavailableError } from '../../store.js';
import type { Transaction } from '../../transaction.js';
import { simulatorWarnings } from '../states/outcomes.js';
import { dispatchEmail, scheduleSending, sendingDelay } from '../states/send-and-deliver.js';
import { type LargeContents, type MessageParts, partsOf, withStoredParts } from './large-contents.js';
import { announced, messageWarnings, occurrenceOf } from './message-warnings.js';
import { unreadable } from './received-email.js';
import { insertUnparsed, type RequestedEmail, requestedEmail, type UnparsedEmail } from './requested-email.js';

/** What the emails of one transaction announce. */
export interface Notes {
  warnings: { warning: ServiceWarning; message: ReceivedHead }[];
  /** Unverified domains that are announced for the first time. */
  domains: Set<string>;
}

export interface ParsedEmail {
  head: ReceivedHead;
  parsed: ParsedMessage;
  /** The parts of it in the form in which the store inserts them (default: as they are). */
  parts?: MessageParts;
  /** What was found when it was received. */
  warnings?: readonly ServiceWarning[];
  /** What was changed while it was not parsed. */
  before?: Pick<EmailWithoutBodies, 'readAt' | 'addedTags'> | undefined;
  /** What searches and previews need of it; undefined if it cannot be found now. */
  shown: ShownContent | undefined;
}

/** Bytes of a message that are read for the fields of its header. */
const HEAD_BYTES = 64 * 1024;

export type EmailWriterDeps = EventDeps &
  Pick<
    Core,
    'store' | 'showContent' | 'deliveryDelayMs' | 'warningTally' | 'announcedDomains' | 'strict' | 'autoRelease'
  >;

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

  /** Writes in a transaction, and counts the warnings after it: those of a failed one are found again. */
  async commit<T>(run: (tx: Transaction, notes: Notes) => Promise<T>): Promise<T> {
    const { result, notes } = await this.core.store.write(async (tx) => {
      // A store may run a write twice.
      const found: Notes = { warnings: [], domains: new Set() };
      return { result: await run(tx, found), notes: found };
    });
    for (const domain of notes.domains) rememberDomain(domain, this.core);
    for (const { warning, message } of notes.warnings) {
      this.core.warningTally.record(warning, occurrenceOf(message), () => null);
    }
    return result;
  }

  /** Inserts the email of a message that is parsed, with its event and its delivery. */
  async insertParsed(
    tx: Transaction,
    notes: Notes,
    { head, parsed, parts = partsOf(parsed), warnings = [], before, shown }: ParsedEmail,
  ): Promise<void> {
    const { simulate } = parsed.service;
    const outcome = simulate === null ? undefined : readOutcome(simulate);
    const requested = await requestedEmail(tx, head, parsed);
    // Before the outcomes are chosen, which uses up rules.
    const simulator = await simulatorWarnings(tx, outcome, requested.recipients, head.workspace);
    const sent = await this.#send(tx, requested, outcome);
    const { attachments, ...bodies } = parts;
    const { readAt = null, addedTags = [] } = before ?? {};
    const added = addedTags.filter((tag) => !sent.email.tags.includes(tag));
    const kept = { readAt, addedTags: added };
    const stored = { ...sent.email, ...kept, ...(requested.email.templateId === null && bodies) };
    const { email } = requested;
    await tx.emails.insertReceived(head.seq, stored, sent.recipients, attachments, this.#afterTemplate(email, shown));
    const found = [...warnings, ...messageWarnings(head, parsed), ...requested.warnings, ...simulator];
    const domain = await this.#unannounced(tx, notes, email.fromMailbox);
    if (domain) found.push(domain);
    await warn(tx, notes, head, found);
  }

  /** Inserts the email of a message that is not parsed, with the fields of its header, and the job that parses it. */
  async insertUnparsed(
    tx: Transaction,
    notes: Notes,
    { head, header, warnings, attempts, sentTo }: UnparsedEmail & { warnings: readonly ServiceWarning[] },
  ): Promise<void> {
    await insertUnparsed(tx, { head, header, attempts, sentTo });
    await warn(tx, notes, head, warnings);
  }

  /**
   * Replaces the email of a message that was not parsed, unless another process has. If it cannot be written, its reason
   * takes the place of its content.
   * @throws StoreUnavailableError when the store cannot write.
   */
  async finish(message: ReceivedHead, parsed: ParsedMessage): Promise<void> {
    const bytes = await this.core.store.read.received.headOf(message.seq);
    const write = async (content: ParsedMessage) => {
      const shown = bytes && (await this.shownOf(content, bytes));
      await withStoredParts(this.contents, content, (parts, stored) =>
        this.commit(async (tx, notes) => {
          const before = await claim(tx, message);
          if (!before) {
            for (const { key } of stored) await tx.contents.delete(key);
            return;
          }
          await this.insertParsed(tx, notes, { head: message, parsed: content, parts, before: before.email, shown });
          for (const warning of before.warnings) await tx.emails.warn(message.id, warning);
        }),
      );
    };
    try {
      await write(parsed);
    } catch (error) {
      if (error instanceof StoreUnavailableError) throw error;
      this.onInternalError(error);
      await write(unreadable(message, error));
    }
  }

  /** Returns what searches and previews need of a message; undefined if it cannot be found now. */
  shownOf({ content }: ParsedMessage, bytes: Uint8Array): Promise<ShownContent | undefined> {
    return this.core.showContent(content.html, bytes.subarray(0, HEAD_BYTES));
  }

  /** Returns the same of its email. A template of the service replaces the content of the message. */
  #afterTemplate({ templateId, html }: Email, shown: ShownContent | undefined): ShownContent | undefined {
    if (templateId === null || !shown) return shown;
    const rendered = this.core.showContent.atOnce(html, null);
    return rendered && { ...rendered, headers: shown.headers };
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

async function warn(
  tx: Transaction,
  notes: Notes,
  message: ReceivedHead,
  found: readonly ServiceWarning[],
): Promise<void> {
  for (const warning of found.map(announced)) {
    await tx.emails.warn(message.id, warning);
    notes.warnings.push({ warning, message });
  }
}

/** Claims a message. Returns what its email has besides its content; undefined if another process has parsed it. */
async function claim(
  tx: Transaction,
  message: ReceivedHead,
): Promise<{ email: EmailWithoutBodies | undefined; warnings: ServiceWarning[] } | undefined> {
  if (!(await tx.received.claimUnparsed(message))) return undefined;
  const warnings = await tx.emails.warnings(message.id);
  const email = await tx.emails.findWithoutBodies(message.id);
  await tx.emails.deleteUnparsed(message.seq);
  return { email, warnings };
}
