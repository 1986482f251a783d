import { hash } from 'node:crypto';
import type { Clock, Ids } from '../ports.js';
import type { Kept } from '../store.js';

/** Random text that proves a right, as it is issued. */
export interface Ticket {
  secret: string;
  /** Milliseconds since 1970, in system time. */
  expiresAt: number;
}

/** What a ticket stands for, and until when. */
interface KeptValue<T> {
  value: T;
  /** Milliseconds since 1970, in system time. */
  expiresAt: number;
}

/** 256 bits in letters and digits. */
export const TICKET_CHARACTERS = 43;

export interface TicketDeps {
  clock: Pick<Clock, 'systemNow'>;
  ids: Pick<Ids, 'secret'>;
  kept: Kept;
}

/** Issues secrets that stand for a value until they expire. Keeps only their hashes. */
export class Tickets<T> {
  constructor(
    private readonly deps: TicketDeps,
    /** What the tickets are for, in one word. */
    private readonly kind: string,
    private readonly lifetimeMs: number,
  ) {}

  /** Issues a ticket. `make` returns what it stands for, which may depend on its secret. */
  async issue(make: (secret: string) => T): Promise<Ticket> {
    const secret = this.deps.ids.secret(TICKET_CHARACTERS);
    const expiresAt = this.deps.clock.systemNow() + this.lifetimeMs;
    const kept: KeptValue<T> = { value: make(secret), expiresAt };
    await this.deps.kept.put(this.#keyOf(secret), JSON.stringify(kept), expiresAt);
    return { secret, expiresAt };
  }

  async find(secret: string): Promise<KeptValue<T> | undefined> {
    return parsed(await this.deps.kept.find(this.#keyOf(secret)));
  }

  /** Returns the value of a ticket, which is then used up. */
  async take(secret: string): Promise<KeptValue<T> | undefined> {
    return parsed(await this.deps.kept.take(this.#keyOf(secret)));
  }

  /** The hash also keeps the time of a look-up from depending on the characters of the secret. */
  #keyOf(secret: string): string {
    return `${this.kind} ${hash('sha256', secret)}`;
  }
}

function parsed<T>(text: string | undefined): KeptValue<T> | undefined {
  const kept = text === undefined ? undefined : (JSON.parse(text) as Partial<KeptValue<T>>);
  // Earlier versions kept the value alone.
  return kept?.value === undefined ? undefined : (kept as KeptValue<T>);
}

/** Maximum number of values, and of characters of all. A new one replaces the oldest. */
const VALUES_MAX = 4_000;
const CHARACTERS_MAX = 32 * 1024 * 1024;

/** Keeps values in memory, for a server whose database no other server uses. */
export class Memory implements Kept {
  readonly #values = new Map<string, { value: string; expiresAt: number }>();
  #characters = 0;

  constructor(private readonly clock: Pick<Clock, 'systemNow'>) {}

  async put(key: string, value: string, expiresAt: number): Promise<void> {
    this.#delete(key);
    for (const [oldest, kept] of this.#values) {
      const fits = this.#values.size < VALUES_MAX && this.#characters + value.length <= CHARACTERS_MAX;
      if (fits && kept.expiresAt > this.clock.systemNow()) break;
      this.#delete(oldest);
    }
    this.#values.set(key, { value, expiresAt });
    this.#characters += value.length;
  }

  async first(key: string, value: string, expiresAt: number): Promise<string> {
    const kept = this.#find(key);
    if (kept === undefined) await this.put(key, value, expiresAt);
    return kept ?? value;
  }

  async find(key: string): Promise<string | undefined> {
    return this.#find(key);
  }

  async take(key: string): Promise<string | undefined> {
    const value = this.#find(key);
    this.#delete(key);
    return value;
  }

  #find(key: string): string | undefined {
    const kept = this.#values.get(key);
    return kept && kept.expiresAt > this.clock.systemNow() ? kept.value : undefined;
  }

  #delete(key: string): void {
    this.#characters -= this.#values.get(key)?.value.length ?? 0;
    this.#values.delete(key);
  }
}
