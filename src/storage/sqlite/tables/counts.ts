import { type CounterName, counterNames } from '../../../contract/vocabulary/counters.js';
import type { Counts } from '../../../core/model.js';

/** Counts of events by the instant at which they happened. */
export class CountsByInstant {
  readonly #byInstant = new Map<number, Counts>();

  increment(instant: number, counter: CounterName): void {
    this.#at(instant)[counter] += 1;
  }

  /** Adds the counts of the instants in [from, to] to `total`. */
  addTo(total: Counts, from: number, to: number): void {
    for (const [instant, counts] of this.#byInstant) if (instant >= from && instant <= to) addCounts(total, counts);
  }

  /** Returns the counts by span of `unit` milliseconds. The key is the start of the span. */
  bySpan(unit: number): Iterable<[number, Counts]> {
    const spans = new CountsByInstant();
    for (const [instant, counts] of this.#byInstant) addCounts(spans.#at(floorTo(instant, unit)), counts);
    return spans.#byInstant;
  }

  #at(instant: number): Counts {
    const counts = this.#byInstant.get(instant) ?? zeroCounts();
    this.#byInstant.set(instant, counts);
    return counts;
  }
}

export function zeroCounts(): Counts {
  return { sent: 0, delivered: 0, bounced: 0, complained: 0, opened: 0, clicked: 0 };
}

export function addCounts(total: Counts, more: Counts): void {
  for (const name of counterNames) total[name] += more[name];
}

export function floorTo(instant: number, unit: number): number {
  return Math.floor(instant / unit) * unit;
}
