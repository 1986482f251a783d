import { plans } from '../../../contract/vocabulary/limits.js';
import type { ServiceWarning } from '../../../contract/vocabulary/warnings.js';
import type { Core } from '../../context.js';
import type { ReceivedMessage } from '../../model/received.js';
import type { ApiKeyRecord } from '../../model/resources.js';
import { refuseRevoked } from '../../resources/api-keys.js';
import { assertWithinQuota, QuotaExceededError } from '../../resources/quota.js';
import { accountLimits, RateLimiter } from '../../resources/rate-limiter.js';
import type { Transaction } from '../../transaction.js';
import type { Inbound, WhenRead } from './inbound.js';
import { refusalAt } from './message-warnings.js';
import { mailboxesOf } from './received-email.js';

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
 * beyond them, others announce it. Messages have windows of their own: they are no requests. Gap 33.
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
    const limits = accountLimits(plan, key);
    const { limit, retryAfter } = this.#limiter.take(limits);
    try {
      const overRate = retryAfter > 0 ? this.#overRate(limit, retryAfter) : [];
      const check = async (tx: Transaction, now: number, owner: string | null) => {
        if (key) await refuseRevoked(tx, key, clock.systemNow());
        if (plans[plan].emailsPerMonth === null) return { warnings: overRate };
        const sentTo = await sentRecipients(tx, message, owner);
        return { warnings: [...overRate, ...(await this.#overQuota(tx, sentTo, now))], sentTo };
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

  async #overQuota(tx: Transaction, sentTo: number, now: number): Promise<ServiceWarning[]> {
    try {
      await assertWithinQuota(tx, this.deps, { now, sentTo, recorded: 0 });
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
