import type { Clock } from '../ports.js';
import type { Kept } from '../store.js';

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
