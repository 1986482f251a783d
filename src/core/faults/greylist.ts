import { DAY_MS } from '../../contract/vocabulary/limits.js';
import { normalizeAddress } from '../../contract/vocabulary/parsers/address.js';
import type { FaultRecord } from '../model/faults.js';
import type { Clock } from '../ports.js';
import type { Kept } from '../store.js';
import type { SmtpPoint } from './points.js';

/** Maximum number of combinations to remember, the newest. */
const REMEMBERED_MAX = 10_000;

/** Remembers when each combination of client, sender and recipient was first seen. */
export class Greylist {
  readonly #firstSeen = new Map<string, number>();

  /** @param kept where servers on one database remember together; undefined for one server, until it ends */
  constructor(
    private readonly clock: Pick<Clock, 'now' | 'systemNow'>,
    private readonly kept: Kept | undefined,
  ) {}

  /** Returns whether the fault defers a recipient now. */
  async defers({ id, greylistMs }: FaultRecord, { client, from = '', to = [] }: SmtpPoint): Promise<boolean> {
    const key = JSON.stringify([id, client, normalizeAddress(from), ...to.map(normalizeAddress)]);
    const now = this.clock.now();
    const first = await this.#first(key, now);
    // A later time is of a clock that was set back.
    if (first !== undefined && first <= now) return now < first + (greylistMs ?? 0);
    await this.#remember(key, now);
    return true;
  }

  async #first(key: string, now: number): Promise<number | undefined> {
    if (!this.kept) return this.#firstSeen.get(key);
    return Number(await this.kept.first(`greylist ${key}`, String(now), this.clock.systemNow() + DAY_MS));
  }

  async #remember(key: string, now: number): Promise<void> {
    if (this.kept) return this.kept.put(`greylist ${key}`, String(now), this.clock.systemNow() + DAY_MS);
    if (this.#firstSeen.size >= REMEMBERED_MAX) this.#forgetOldest();
    this.#firstSeen.set(key, now);
  }

  #forgetOldest(): void {
    const [oldest] = this.#firstSeen.keys();
    if (oldest !== undefined) this.#firstSeen.delete(oldest);
  }
}
