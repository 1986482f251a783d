import { normalizeAddress } from '../../contract/vocabulary/parsers/address.js';
import type { FaultRecord } from '../model/faults.js';
import type { SmtpPoint } from './points.js';

/** Maximum number of combinations to remember, the newest. */
const REMEMBERED_MAX = 10_000;

/** Remembers when each combination of client, sender and recipient was first seen, since the start of the server. */
export class Greylist {
  readonly #firstSeen = new Map<string, number>();

  /** Returns whether the fault defers a recipient now. */
  defers({ id, greylistMs }: FaultRecord, { client, from = '', to = [] }: SmtpPoint, now: number): boolean {
    const key = JSON.stringify([id, client, normalizeAddress(from), ...to.map(normalizeAddress)]);
    const first = this.#firstSeen.get(key);
    // A later time is of a clock that was set back.
    if (first !== undefined && first <= now) return now < first + (greylistMs ?? 0);
    if (this.#firstSeen.size >= REMEMBERED_MAX) this.#forgetOldest();
    this.#firstSeen.set(key, now);
    return true;
  }

  #forgetOldest(): void {
    const [oldest] = this.#firstSeen.keys();
    if (oldest !== undefined) this.#firstSeen.delete(oldest);
  }
}
