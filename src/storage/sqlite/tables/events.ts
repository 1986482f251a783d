import type Database from 'better-sqlite3';
import type { CounterName } from '../../../contract/vocabulary/counters.js';
import { eventTypes } from '../../../contract/vocabulary/event-types.js';
import type { Counts, NewEvent, StoredEvent } from '../../../core/model.js';
import type { CurrentCommit } from '../commit.js';
import type { Columns } from '../rows/columns.js';
import type { RowReader } from '../rows/reader.js';
import { CounterTable } from './counters.js';
import type { CountsByInstant } from './counts.js';

/** The append-only event log, and the counters kept as it grows. */
export class EventTable {
  readonly #insert;
  readonly #after;
  readonly #at;
  readonly #find;
  readonly #ofEmail;
  readonly #since;
  readonly #lastSeq;
  readonly #counters;

  constructor(
    db: Database.Database,
    private readonly rows: RowReader,
    private readonly commit: CurrentCommit,
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
    this.#counters = new CounterTable(db);
  }

  async append(event: NewEvent, counter: CounterName | undefined): Promise<StoredEvent> {
    const { id, type, createdAt, emailId, recipient, payload } = event;
    const { lastInsertRowid } = this.#insert.run(id, type, createdAt, emailId, recipient, payload);
    const stored = { ...event, seq: Number(lastInsertRowid) };
    const { changes } = this.commit();
    changes.events.push(stored);
    if (counter) changes.counts.increment(createdAt, counter);
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

  /** Inside a transaction, its own events count too. */
  async count(from: number, to: number): Promise<Counts> {
    const total = this.#counters.sum(from, to);
    for (const counts of this.commit().pendingCounts()) counts.addTo(total, from, to);
    return total;
  }

  /** Writes the counts of a commit's events, at the end of its transaction. */
  writeCounts(counts: CountsByInstant): void {
    this.#counters.add(counts);
  }
}

export function readEvent(row: Columns): StoredEvent {
  // Readers parse it and do not expect a syntax error.
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
