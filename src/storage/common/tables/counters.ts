import { type CounterName, counterNames } from '../../../contract/vocabulary/event-types.js';
import type { Counts } from '../../../core/model/deliveries.js';
import type { Sql } from '../sql.js';

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

/** Lengths in milliseconds of the counted spans, longest first: a day, an hour, a minute, a second, a millisecond. */
const UNITS = [86_400_000, 3_600_000, 60_000, 1_000, 1] as const;

/** Maximum of a stored count, more than the events of any span. Without it, a sum could overflow, which SQLite rejects. */
const COUNT_MAX = 1_000_000_000;

/** Counts events per span of time, so that the cost of a query does not depend on the number of events. */
export class CounterTable {
  readonly #sum;
  readonly #add;

  constructor(sql: Sql) {
    const bounded = (name: string) =>
      `CASE WHEN counters.${name} < 0 THEN 0 WHEN counters.${name} > ${COUNT_MAX} THEN ${COUNT_MAX} ELSE counters.${name} END`;
    const sums = counterNames.map((name) => `coalesce(sum(${bounded(name)}), 0) AS ${name}`);
    this.#sum = sql.prepare(`SELECT ${sums.join(', ')} FROM counters WHERE unit = ? AND start >= ? AND start < ?`);
    const marks = counterNames.map(() => '?');
    const sets = counterNames.map((name) => `${name} = ${bounded(name)} + excluded.${name}`);
    this.#add = sql.prepare(
      `INSERT INTO counters (unit, start, ${counterNames.join(', ')}) VALUES (?, ?, ${marks.join(', ')})
       ON CONFLICT (unit, start) DO UPDATE SET ${sets.join(', ')}`,
    );
  }

  /** Adds a commit's counts, with one write per span. */
  add(counts: CountsByInstant): void {
    for (const unit of UNITS) {
      for (const [start, sums] of counts.bySpan(unit)) {
        this.#add.send(unit, start, ...counterNames.map((name) => sums[name]));
      }
    }
  }

  /** Returns the committed counts of the instants in [from, to]. */
  async sum(from: number, to: number): Promise<Counts> {
    const total = zeroCounts();
    await this.#addSpans(total, from, to + 1, 0);
    return total;
  }

  /** Adds the longest spans that fit in [from, before), and shorter ones at both ends. */
  async #addSpans(total: Counts, from: number, before: number, level: number): Promise<void> {
    const unit = UNITS[level];
    if (unit === undefined || from >= before) return;
    const first = floorTo(from + unit - 1, unit);
    const last = floorTo(before, unit);
    if (first >= last) {
      return this.#addSpans(total, from, before, level + 1);
    }
    const sums = await this.#sum.tuple<number[]>(unit, first, last);
    counterNames.forEach((name, index) => {
      total[name] += sums?.[index] ?? 0;
    });
    await this.#addSpans(total, from, first, level + 1);
    await this.#addSpans(total, last, before, level + 1);
  }
}

function zeroCounts(): Counts {
  return { sent: 0, delivered: 0, bounced: 0, complained: 0, opened: 0, clicked: 0 };
}

function addCounts(total: Counts, more: Counts): void {
  for (const name of counterNames) total[name] += more[name];
}

function floorTo(instant: number, unit: number): number {
  return Math.floor(instant / unit) * unit;
}
