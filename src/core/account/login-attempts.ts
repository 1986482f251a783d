import { hash } from 'node:crypto';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import type { Core } from '../context.js';
import { type CallLimit, RateLimiter } from './rate-limiter.js';

/**
 * Limits attempts to guess a password: that of the inbox, and those of SMTP users. API keys and one-time codes have too
 * many characters to be guessed, so valid ones are accepted at any time. Decision 119.
 */

/** Wrong attempts per minute for one account, from one address and from all together. */
const ATTEMPTS_BY_ADDRESS = 10;
const ATTEMPTS = 100;

/** Who tries to log in. */
export interface LoginAttempt {
  /** What the password belongs to, such as `inbox` or an SMTP user. The caller limits how many there are. */
  account: string;
  /** The address of the client. */
  address: string;
}

export class LoginAttempts {
  readonly #failures: RateLimiter;
  /** The wrong passwords of the last minute, each with its account and address. */
  readonly #wrong: RateLimiter;

  constructor({ clock, store }: Pick<Core, 'clock' | 'store'>) {
    // On system time: a frozen clock would refuse attempts forever.
    const systemTime = { now: () => clock.systemNow(), after: clock.after.bind(clock) };
    this.#failures = new RateLimiter(systemTime, { shared: store.shared, name: 'login' });
    // Passwords, even wrong ones, must not reach the database.
    this.#wrong = new RateLimiter(systemTime, { shared: undefined, name: 'wrong' });
  }

  /**
   * Returns whether a password is right, and counts a wrong one. Beyond the limit, it is not compared.
   * @param password undefined if it is not known
   * @throws TooManyAttemptsError beyond the limit, also for the right password.
   */
  check(attempt: LoginAttempt, isRight: () => boolean, password?: string): boolean {
    this.#count(attempt, 0);
    if (isRight()) return true;
    this.failed(attempt, password);
    return false;
  }

  /**
   * Counts a wrong attempt. A password that was tried in the last minute counts once: a
   * client with an old password does not guess, and must not lock out others behind its address.
   * @throws TooManyAttemptsError if the limit was reached before.
   */
  failed(attempt: LoginAttempt, password?: string): void {
    this.#count(attempt, 0);
    if (password !== undefined) {
      const caller = hash('sha256', JSON.stringify([attempt.account, attempt.address, password]));
      if (this.#wrong.take([{ caller, limit: 1 }]).retryAfter > 0) return;
    }
    this.#count(attempt, 1);
  }

  #count({ account, address }: LoginAttempt, calls: number): void {
    const limits: CallLimit[] = [
      { caller: `${account} at ${address}`, limit: ATTEMPTS_BY_ADDRESS },
      // Also limits memory: no more addresses are counted than this.
      { caller: account, limit: ATTEMPTS },
    ];
    const { retryAfter, limit } = this.#failures.take(limits, calls);
    if (retryAfter > 0) throw new TooManyAttemptsError(retryAfter, limit);
  }
}

/** Too many attempts to log in. */
export class TooManyAttemptsError extends ServiceError {
  /** @param retryAfter seconds to wait @param limit attempts in a minute */
  constructor(
    readonly retryAfter: number,
    limit: number,
  ) {
    super(
      'rate_limited',
      `More than ${limit} attempts in a minute; try again in ${retryAfter} s.`,
      undefined,
      'Wait for the number of seconds in Retry-After.',
    );
  }
}
