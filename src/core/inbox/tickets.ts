import { hash } from 'node:crypto';
import type { Clock, Ids } from '../ports.js';

/** Random text that proves a right, as it is issued. */
export interface Ticket {
  secret: string;
  /** Milliseconds since 1970, in system time. */
  expiresAt: number;
}

/** 256 bits in letters and digits. */
export const TICKET_CHARACTERS = 43;
/** Maximum number of valid tickets. A new one replaces the oldest. */
const TICKETS_MAX = 1_000;

/** Issues secrets that stand for a value until they expire. Keeps only their hashes. */
export class Tickets<T> {
  readonly #issued = new Map<string, { value: T; expiresAt: number }>();

  constructor(
    private readonly deps: { clock: Pick<Clock, 'systemNow'>; ids: Pick<Ids, 'secret'> },
    private readonly lifetimeMs: number,
  ) {}

  issue(value: T): Ticket {
    const secret = this.deps.ids.secret(TICKET_CHARACTERS);
    const expiresAt = this.deps.clock.systemNow() + this.lifetimeMs;
    const [oldest] = this.#issued.keys();
    if (oldest !== undefined && this.#issued.size >= TICKETS_MAX) this.#issued.delete(oldest);
    this.#issued.set(digest(secret), { value, expiresAt });
    return { secret, expiresAt };
  }

  find(secret: string): T | undefined {
    const key = digest(secret);
    const ticket = this.#issued.get(key);
    if (ticket && ticket.expiresAt > this.deps.clock.systemNow()) return ticket.value;
    this.#issued.delete(key);
    return undefined;
  }

  /** Returns the value of a ticket, which is then used up. */
  take(secret: string): T | undefined {
    const value = this.find(secret);
    this.#issued.delete(digest(secret));
    return value;
  }
}

/** The hash also keeps the time of a look-up from depending on the characters of the secret. */
function digest(secret: string): string {
  return hash('sha256', secret);
}
