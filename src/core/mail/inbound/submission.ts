import { normalizeAddress } from '../../../contract/vocabulary/addresses.js';
import { type ServiceWarning, warningForms } from '../../../contract/vocabulary/warnings.js';
import { refuseRevoked } from '../../account/authorizations.js';
import { assertWithinQuota, QuotaExceededError, quotaOf } from '../../account/quota.js';
import { accountLimits, RateLimiter } from '../../account/rate-limiter.js';
import { unverifiedDomain } from '../../account/sending-domain.js';
import type { Core } from '../../context.js';
import type { ReceivedEnvelope, ReceivedMessage } from '../../model/received.js';
import type { ApiKeyRecord } from '../../model/resources.js';
import type { ParsedMessage } from '../../ports.js';
import type { Transaction } from '../../transaction.js';
import type { Inbound, WhenRead } from './inbound.js';
import { messageWarnings, refusalAt, unusualDomains } from './message-warnings.js';
import { mailboxesOf } from './received-email.js';
import { type RequestedBySender, readRequested, renderRequested } from './service-headers.js';

/** The login of an SMTP client. */
export interface Login {
  /** The workspace of its API key, or that its name is; null for none. */
  workspace: string | null;
  key: Pick<ApiKeyRecord, 'id' | 'hash' | 'rateLimit'> | null;
}

/** A message that a strict server refuses because of a limit of the plan. */
export class OverLimitError extends Error {
  override readonly name = 'OverLimitError';

  /** @param advice What the client can do, to append to the message. */
  constructor(
    readonly finding: ServiceWarning,
    advice = '',
  ) {
    super(`${finding.message}${advice}`);
  }
}

type Deps = Pick<Core, 'store' | 'clock' | 'plan' | 'strict' | 'warningTally'>;

/**
 * Accepts messages of SMTP clients, with the rate limit and the quota of the plan. A strict server refuses a message
 * beyond them, others announce it. Messages do not count as requests, and have separate windows. Gap 33.
 */
export class Submission {
  readonly #limiter: RateLimiter;

  constructor(
    private readonly deps: Deps,
    private readonly inbound: Inbound,
  ) {
    this.#limiter = new RateLimiter(deps.clock, { shared: deps.store.shared, name: 'smtp' });
  }

  /**
   * Stores a message. Resolves with its ID when it is on disk. A message that is not stored does not count.
   * @throws OverLimitError on a strict server; ServiceError `unauthenticated` if the key of the login was revoked.
   */
  async accept(message: ReceivedMessage, { workspace, key }: Login, whenRead?: WhenRead): Promise<string> {
    const { plan, clock, warningTally } = this.deps;
    const limits = accountLimits(plan, { key, workspace });
    const { limit, retryAfter } = this.#limiter.take(limits);
    try {
      const overRate = retryAfter > 0 ? this.#overRate(limit, retryAfter) : [];
      const check = async (tx: Transaction, now: number, owner: string | null) => {
        if (key) await refuseRevoked(tx, key, clock.systemNow());
        if (!(await quotaOf(tx, plan, owner))) return { warnings: overRate };
        const sentTo = await sentRecipients(tx, message, owner);
        return { warnings: [...overRate, ...(await this.#overQuota(tx, owner, { sentTo, now }))], sentTo };
      };
      const withKey = { ...message, ...(key && { keyId: key.id }) };
      return await this.inbound.accept(withKey, workspace, { check, whenRead });
    } catch (error) {
      if (retryAfter === 0) this.#limiter.giveBack(limits);
      if (error instanceof OverLimitError) warningTally.record(error.finding, refusalAt(clock.now()), () => null);
      throw error;
    }
  }

  #overRate(limit: number, retryAfter: number): ServiceWarning[] {
    const finding = { code: 'message_rate', path: '', message: `more than ${limit} messages in a minute` } as const;
    return this.#announced(finding, `; try again in ${retryAfter} s`);
  }

  async #overQuota(
    tx: Transaction,
    workspace: string | null,
    sending: { sentTo: number; now: number },
  ): Promise<ServiceWarning[]> {
    try {
      await assertWithinQuota(tx, this.deps, { workspace, ...sending, recorded: 0 });
      return [];
    } catch (error) {
      if (!(error instanceof QuotaExceededError)) throw error;
      return this.#announced({ code: 'monthly_quota', path: '', message: error.message });
    }
  }

  /** Returns the finding. @throws OverLimitError on a strict server. */
  #announced(finding: ServiceWarning, advice?: string): ServiceWarning[] {
    if (this.deps.strict) throw new OverLimitError(finding, advice);
    return [finding];
  }
}

/** Returns the number of mailboxes that a message would be sent to. */
async function sentRecipients(
  tx: Transaction,
  { recipients }: ReceivedMessage,
  workspace: string | null,
): Promise<number> {
  const suppressed = await Promise.all(
    mailboxesOf(recipients).map((mailbox) => tx.suppressions.find(mailbox, workspace)),
  );
  return suppressed.filter((found) => found === undefined).length;
}

/**
 * Finds what a strict server refuses over SMTP. Gap 40.
 */
export class StrictChecks {
  constructor(private readonly deps: Pick<Core, 'store' | 'clock' | 'warningTally'>) {}

  /** Returns the first finding about the sender of an envelope. A bounce message has none. */
  async sender(address: string, announced: readonly ServiceWarning[]): Promise<ServiceWarning[]> {
    const [found] = [...announced, ...unusualDomains({ mailFrom: address, recipients: [] })];
    if (found || address === '') return this.#refused(found ? [found] : []);
    // smtp-server converts the domain to Unicode, and domains are stored in ASCII.
    const domain = await unverifiedDomain(normalizeAddress(address), this.deps.store.read.domains);
    return this.#refused(domain ? [domain] : []);
  }

  recipient(address: string, announced: readonly ServiceWarning[]): ServiceWarning[] {
    return this.#refused([...announced, ...unusualDomains({ mailFrom: '', recipients: [address] })].slice(0, 1));
  }

  /** Returns the findings about a message. One that is not parsed in time has only the fields of its header. */
  async message(envelope: ReceivedEnvelope, parsed: ParsedMessage): Promise<ServiceWarning[]> {
    return this.#refused(await this.#findings(envelope, parsed));
  }

  /** Counts the reasons of a refusal for the report. */
  #refused(found: ServiceWarning[]): ServiceWarning[] {
    const { clock, warningTally } = this.deps;
    for (const warning of found) warningTally.record(warning, refusalAt(clock.now()), () => null);
    return found;
  }

  async #template(requested: RequestedBySender, { content }: ParsedMessage): Promise<ServiceWarning[]> {
    const { templateId } = requested;
    if (templateId === null) return [];
    return renderRequested(requested, content, await this.deps.store.read.templates.find(templateId)).warnings;
  }

  async #findings(envelope: ReceivedEnvelope, parsed: ParsedMessage): Promise<ServiceWarning[]> {
    const { store, clock } = this.deps;
    const requested = readRequested(parsed.service, parsed.content, clock.now());
    const all = [
      ...messageWarnings(envelope, parsed),
      ...requested.warnings,
      ...(await this.#template(requested, parsed)),
    ];
    const found = all.filter(({ code }) => warningForms[code].strict !== null);
    const { fromMailbox } = parsed.content;
    const domain = fromMailbox === '' ? undefined : await unverifiedDomain(fromMailbox, store.read.domains);
    return domain ? [domain, ...found] : found;
  }
}
