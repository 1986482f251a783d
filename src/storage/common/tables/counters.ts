import { counterNames } from '../../../contract/vocabulary/event-types.js';
import { DAY_MS, MINUTE_MS } from '../../../contract/vocabulary/limits.js';
import type { Counts } from '../../../core/model/events.js';
import type { Changes } from '../changes.js';
import { Statements } from '../sql.js';

/** Counts of the events that a commit appends, by the instant at which they happened. */
export class CountsByInstant {
  readonly #byInstant = new Map<number, Counts>();

  constructor({ events, counters }: Pick<Changes, 'events' | 'counters'>) {
    events.forEach(({ createdAt }, index) => {
      const counter = counters[index];
      if (counter) countsAt(this.#byInstant, createdAt)[counter] += 1;
    });
  }

  /** Adds the counts of the instants in [from, to] to `total`. */
  addTo(total: Counts, from: number, to: number): void {
    for (const [instant, counts] of this.#byInstant) if (instant >= from && instant <= to) addCounts(total, counts);
  }

  /** Returns the counts by span of `unit` milliseconds. The key is the start of the span. */
  bySpan(unit: number): Iterable<[number, Counts]> {
    const spans = new Map<number, Counts>();
    for (const [instant, counts] of this.#byInstant) addCounts(countsAt(spans, floorTo(instant, unit)), counts);
    return spans;
  }
}

const [HOUR_MS, SECOND_MS] = [3_600_000, 1_000];

/** Lengths in milliseconds of the counted spans, longest first: a day, an hour, a minute, a second, a millisecond. */
const UNITS = [DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, 1] as const;

/** The age in milliseconds from which events are no longer counted by a unit, only by longer ones. */
const ROLL_UPS = [
  { unit: 1, into: SECOND_MS, after: MINUTE_MS },
  { unit: SECOND_MS, into: MINUTE_MS, after: HOUR_MS },
  { unit: MINUTE_MS, into: HOUR_MS, after: 7 * DAY_MS },
  { unit: HOUR_MS, into: DAY_MS, after: 400 * DAY_MS },
] as const;

/** About how many rows one transaction rolls up. */
const ROLLED_UP_AT_ONCE = 1_000;

/** Rows of a unit that are older than they are needed: those before an instant. */
interface FineCounts {
  unit: number;
  before: number;
}

/** Maximum of a stored count, more than the events of any span. Without it, a sum could overflow, which SQLite rejects. */
const COUNT_MAX = 1_000_000_000;

const bounded = (name: string) =>
  `CASE WHEN counters.${name} < 0 THEN 0 WHEN counters.${name} > ${COUNT_MAX} THEN ${COUNT_MAX} ELSE counters.${name} END`;
const SUMS = counterNames.map((name) => `coalesce(sum(${bounded(name)}), 0) AS ${name}`);
const SETS = counterNames.map((name) => `${name} = ${bounded(name)} + excluded.${name}`);

/** Counts events per span of time, so that the cost of a query does not depend on the number of events. */
export class CounterTable extends Statements {
  readonly #sum = this.sql.prepare(
    `SELECT ${SUMS.join(', ')} FROM counters WHERE unit = ? AND start >= ? AND start < ?`,
  );
  readonly #add = this.sql.prepare(
    `INSERT INTO counters (unit, start, ${counterNames.join(', ')}) VALUES (?, ?, ${counterNames.map(() => '?').join(', ')})
     ON CONFLICT (unit, start) DO UPDATE SET ${SETS.join(', ')}`,
  );
  readonly #first = this.sql.prepare('SELECT min(start) FROM counters WHERE unit = ?');
  readonly #nth = this.sql.prepare(
    `SELECT start FROM counters WHERE unit = ? ORDER BY start LIMIT 1 OFFSET ${ROLLED_UP_AT_ONCE - 1}`,
  );
  readonly #delete = this.sql.prepare('DELETE FROM counters WHERE unit = ? AND start < ?');

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

  /** Returns the next rows to roll up at an instant; undefined if all are needed. */
  async fineCounts(now: number): Promise<FineCounts | undefined> {
    for (const { unit, into, after } of ROLL_UPS) {
      const before = floorTo(now - after, into);
      const first = await this.#first.value<number | null>(unit);
      if (first == null || first >= before) continue;
      const nth = await this.#nth.value<number>(unit);
      // Whole spans of the longer unit, so that no sum finds a part of one.
      return { unit, before: nth === undefined ? before : Math.min(before, floorTo(nth, into) + into) };
    }
    return undefined;
  }

  /** Deletes rows whose counts are in those of longer units, too. */
  async rollUp({ unit, before }: FineCounts): Promise<void> {
    await this.#delete.run(unit, before);
  }

  /**
   * Adds the longest spans that fit in [from, before), and shorter ones at both ends. An event that is no longer
   * counted by a short unit is treated as being at the start of the longer one.
   */
  async #addSpans(total: Counts, from: number, before: number, level: number): Promise<void> {
    const unit = UNITS[level];
    if (unit === undefined || from >= before) return;
    const first = floorTo(from + unit - 1, unit);
    const last = await this.#endOfWhole(before, level);
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

  /** Returns where the last span of a unit ends: the one around `before` counts as a whole if it has no shorter ones. */
  async #endOfWhole(before: number, level: number): Promise<number> {
    const [unit, shorter] = [UNITS[level] ?? 1, UNITS[level + 1]];
    const last = floorTo(before, unit);
    if (last === before || shorter === undefined) return last;
    const first = await this.#first.value<number | null>(shorter);
    return first == null || last < floorTo(first, unit) ? last + unit : last;
  }
}

/** Returns the counts at an instant, which are zero when they are first needed. */
function countsAt(counts: Map<number, Counts>, instant: number): Counts {
  const found = counts.get(instant) ?? zeroCounts();
  counts.set(instant, found);
  return found;
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
