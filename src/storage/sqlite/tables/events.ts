import type Database from 'better-sqlite3';
import { type CounterName, counterNames } from '../../../contract/vocabulary/counters.js';
import { eventTypes } from '../../../contract/vocabulary/event-types.js';
import type { Counts, NewEvent, StoredEvent } from '../../../core/model.js';
import type { Columns } from '../rows/columns.js';
import type { RowReader } from '../rows/reader.js';

/** Milliseconds of the spans that are counted, widest first: a day, an hour, a minute, a second, a millisecond. */
const UNITS = [86_400_000, 3_600_000, 60_000, 1_000, 1] as const;

/** More than any span has. */
const COUNT_MAX = 1_000_000_000;

/** Counts by instant. */
type Deltas = Map<number, Counts>;

/** What was appended and is not committed yet: the events, and their counts, which are written with the commit. */
interface Pending {
  events: StoredEvent[];
  counts: Deltas;
}

/** The append-only event log, and the counters kept as it grows. */
export class EventTable {
  readonly #insert;
  readonly #after;
  readonly #at;
  readonly #find;
  readonly #ofEmail;
  readonly #since;
  readonly #lastSeq;
  readonly #sum;
  readonly #bump;
  /** Of the work under way, and of the works before it in this commit. */
  #ofWork = nothingPending();
  #ofCommit = nothingPending();
  /** Whether the work under way took away what works before it appended. */
  #forgotten = false;

  constructor(
    db: Database.Database,
    private readonly rows: RowReader,
    private readonly appended: () => void,
  ) {
    this.#insert = db.prepare(
      'INSERT INTO events (id, type, created_at, email_id, recipient, payload) VALUES (?, ?, ?, ?, ?, ?)',
    );
    this.#after = db.prepare('SELECT * FROM events WHERE seq > ? ORDER BY seq LIMIT ?');
    this.#at = db.prepare('SELECT * FROM events WHERE seq = ?');
    this.#find = db.prepare('SELECT * FROM events WHERE id = ?');
    this.#ofEmail = db.prepare('SELECT * FROM events WHERE email_id = ? ORDER BY seq');
    this.#since = db.prepare('SELECT * FROM events WHERE created_at >= ? ORDER BY seq');
    this.#lastSeq = db.prepare('SELECT coalesce(max(seq), 0) FROM events').pluck();
    // Held to bounds, because SQLite refuses a sum that overflows.
    const sums = counterNames
      .map((name) => `coalesce(sum(max(0, min(${name}, ${COUNT_MAX}))), 0) AS ${name}`)
      .join(', ');
    this.#sum = db.prepare(`SELECT ${sums} FROM counters WHERE unit = ? AND start >= ? AND start < ?`);
    this.#bump = db.prepare(
      `INSERT INTO counters (unit, start, ${counterNames.join(', ')}) VALUES (?, ?${', ?'.repeat(counterNames.length)})
       ON CONFLICT (unit, start) DO UPDATE SET ${counterNames.map((name) => `${name} = max(0, min(${name}, ${COUNT_MAX})) + excluded.${name}`).join(', ')}`,
    );
  }

  async append(event: NewEvent, counter: CounterName | undefined): Promise<StoredEvent> {
    const { id, type, createdAt, emailId, recipient, payload } = event;
    const { lastInsertRowid } = this.#insert.run(id, type, createdAt, emailId, recipient, payload);
    if (counter) countsAt(this.#ofWork.counts, createdAt)[counter] += 1;
    const stored = { ...event, seq: Number(lastInsertRowid) };
    this.#ofWork.events.push(stored);
    this.appended();
    return stored;
  }

  async after(seq: number, limit: number): Promise<StoredEvent[]> {
    return this.rows.all('events', () => this.#after.all(seq, limit), readEvent);
  }

  async at(seq: number): Promise<StoredEvent | undefined> {
    return this.rows.one('events', () => this.#at.get(seq), readEvent);
  }

  async find(id: string): Promise<StoredEvent | undefined> {
    return this.rows.one('events', () => this.#find.get(id), readEvent);
  }

  async ofEmail(emailId: string): Promise<StoredEvent[]> {
    return this.rows.all('events', () => this.#ofEmail.all(emailId), readEvent);
  }

  async since(instant: number): Promise<StoredEvent[]> {
    return this.rows.all('events', () => this.#since.all(instant), readEvent);
  }

  async lastSeq(): Promise<number> {
    return this.#lastSeq.get() as number;
  }

  /** Adds whole spans up, the widest that fit, so that the cost depends on the range and never on the number of events. */
  async count(from: number, to: number): Promise<Counts> {
    const total = zeroCounts();
    this.#addSpans(total, from, to + 1, 0);
    // Inside a transaction, its own events count too.
    for (const pending of this.#forgotten ? [this.#ofWork] : [this.#ofWork, this.#ofCommit]) {
      for (const [instant, counts] of pending.counts) if (instant >= from && instant <= to) addCounts(total, counts);
    }
    return total;
  }

  /** What the work appended belongs to the commit. */
  keepWork(): void {
    if (this.#forgotten) this.#ofCommit = nothingPending();
    this.#forgotten = false;
    this.#ofCommit.events.push(...this.#ofWork.events);
    for (const [instant, counts] of this.#ofWork.counts) addCounts(countsAt(this.#ofCommit.counts, instant), counts);
    this.#ofWork = nothingPending();
  }

  /** Every event is gone: what was appended in this commit is gone with them, if the work holds. */
  forget(): void {
    this.#ofWork = nothingPending();
    this.#forgotten = true;
  }

  /** The work was undone, and what it appended with it. */
  dropWork(): void {
    this.#forgotten = false;
    this.#ofWork = nothingPending();
  }

  /** Writes a commit's counts, each span once however many events fell into it. */
  writeCounts(): void {
    for (const unit of UNITS) {
      const spans: Deltas = new Map();
      for (const [instant, counts] of this.#ofCommit.counts) addCounts(countsAt(spans, floorTo(instant, unit)), counts);
      for (const [start, counts] of spans) this.#bump.run(unit, start, ...counterNames.map((name) => counts[name]));
    }
  }

  /** The commit was made, or undone; answers the events that were appended in it. */
  endCommit(): StoredEvent[] {
    const { events } = this.#ofCommit;
    this.#ofWork = nothingPending();
    this.#ofCommit = nothingPending();
    return events;
  }

  #addSpans(total: Counts, from: number, before: number, level: number): void {
    const unit = UNITS[level];
    if (unit === undefined || from >= before) return;
    const first = floorTo(from + unit - 1, unit);
    const last = floorTo(before, unit);
    if (first >= last) {
      this.#addSpans(total, from, before, level + 1);
      return;
    }
    addCounts(total, this.#sum.get(unit, first, last) as Counts);
    this.#addSpans(total, from, first, level + 1);
    this.#addSpans(total, last, before, level + 1);
  }
}

function nothingPending(): Pending {
  return { events: [], counts: new Map() };
}

function zeroCounts(): Counts {
  return { sent: 0, delivered: 0, bounced: 0, complained: 0, opened: 0, clicked: 0 };
}

function countsAt(deltas: Deltas, instant: number): Counts {
  const counts = deltas.get(instant) ?? zeroCounts();
  deltas.set(instant, counts);
  return counts;
}

function addCounts(total: Counts, more: Counts): void {
  for (const name of counterNames) total[name] += more[name];
}

function floorTo(instant: number, unit: number): number {
  return Math.floor(instant / unit) * unit;
}

export function readEvent(row: Columns): StoredEvent {
  // Readers parse it without asking whether they can.
  row.object('payload');
  return {
    seq: row.key('seq'),
    id: row.text('id'),
    type: row.oneOf('type', eventTypes),
    createdAt: row.instant('created_at'),
    emailId: row.textOrNull('email_id'),
    recipient: row.textOrNull('recipient'),
    payload: row.text('payload'),
  };
}
