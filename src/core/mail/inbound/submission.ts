import { plans } from '../../../contract/vocabulary/limits.js';
import type { ServiceWarning } from '../../../contract/vocabulary/warnings.js';
import type { Core } from '../../context.js';
import type { ReceivedMessage } from '../../model/received.js';
import type { ApiKeyRecord } from '../../model/resources.js';
import { assertWithinQuota, QuotaExceededError } from '../../resources/quota.js';
import { accountLimits, RateLimiter } from '../../resources/rate-limiter.js';
import type { Transaction } from '../../transaction.js';
import type { Inbound } from './inbound.js';
import { mailboxesOf } from './received-email.js';

/** The log-in of an SMTP client. */
export interface Login {
  /** The workspace of its API key, or that its name is; null for none. */
  workspace: string | null;
  key: Pick<ApiKeyRecord, 'id' | 'rateLimit'> | null;
}

/** A message that a strict server refuses because of a limit of the plan. */
export class OverLimitError extends Error {
  override readonly name = 'OverLimitError';

  constructor(readonly finding: ServiceWarning) {
    super(finding.message);
  }
}

type Deps = Pick<Core, 'clock' | 'plan' | 'strict' | 'warningTally'>;

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
    this.#limiter = new RateLimiter(deps.clock);
  }

  /**
   * Stores a message. Resolves with its ID when it is on disk.
   * @throws OverLimitError on a strict server.
   */
  async accept(message: ReceivedMessage, { workspace, key }: Login): Promise<string> {
    const overRate = this.#overRate(key);
    return this.inbound.accept({ ...message, ...(key && { keyId: key.id }) }, workspace, async (tx, now) => {
      const overQuota = await this.#overQuota(tx, message, now);
      return [overRate, overQuota].filter((found) => found !== undefined);
    });
  }

  #overRate(key: Login['key']): ServiceWarning | undefined {
    const { limit, retryAfter } = this.#limiter.take(accountLimits(this.deps.plan, key));
    if (retryAfter === 0) return undefined;
    const found = { code: 'message_rate', path: '', message: `more than ${limit} messages in a minute` } as const;
    return this.#announced(found, `; try again in ${retryAfter} s`);
  }

  async #overQuota(tx: Transaction, message: ReceivedMessage, now: number): Promise<ServiceWarning | undefined> {
    const { plan } = this.deps;
    if (plans[plan].emailsPerMonth === null) return undefined;
    const sentTo = await sentRecipients(tx, message);
    try {
      await assertWithinQuota(tx, { plan }, { now, sentTo, recorded: 0 });
      return undefined;
    } catch (error) {
      if (!(error instanceof QuotaExceededError)) throw error;
      return this.#announced({ code: 'monthly_quota', path: '', message: error.message });
    }
  }

  /** Returns the finding. @throws OverLimitError on a strict server. */
  #announced(found: ServiceWarning, more = ''): ServiceWarning {
    const { strict, warningTally, clock } = this.deps;
    if (!strict) return found;
    const occurrence = { route: 'SMTP', userAgent: null, requestId: null, emailId: null, refused: true };
    warningTally.record(found, { ...occurrence, at: clock.now() }, () => null);
    throw new OverLimitError({ ...found, message: `${found.message}${more}` });
  }
}

/** Returns the number of mailboxes that a message would be sent to. */
async function sentRecipients(tx: Transaction, { recipients }: ReceivedMessage): Promise<number> {
  const suppressed = await Promise.all(mailboxesOf(recipients).map((mailbox) => tx.suppressions.find(mailbox)));
  return suppressed.filter((found) => found === undefined).length;
}
