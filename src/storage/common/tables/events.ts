import { type CounterName, eventTypes } from '../../../contract/vocabulary/event-types.js';
import type { Counts, NewEvent, StoredEvent } from '../../../core/model/deliveries.js';
import type { CurrentChanges } from '../changes.js';
import { instant, key, oneOf, serializedObject, text, textOrNull } from '../rows/column-kinds.js';
import { type ColumnsOf, RowMapping } from '../rows/mapping.js';
import type { Rows, Sql } from '../sql.js';
import { CounterTable, type CountsByInstant } from './counters.js';

const eventColumns: ColumnsOf<NewEvent> = {
  id: text('id'),
  type: oneOf('type', eventTypes),
  createdAt: instant('created_at'),
  emailId: textOrNull('email_id'),
  recipient: textOrNull('recipient'),
  payload: serializedObject('payload'),
};

const eventRow = new RowMapping<NewEvent>(eventColumns);
const storedEventRow = new RowMapping<StoredEvent>({ seq: key('seq'), ...eventColumns });

/** Stores the event log, which only grows, and updates its counters. */
export class EventTable {
  readonly #insert;
  readonly #after;
  readonly #at;
  readonly #find;
  readonly #ofEmail;
  readonly #since;
  readonly #sinceOfWorkspace;
  readonly #lastSeq;
  readonly #counters;

  constructor(
    sql: Sql,
    private readonly rows: Rows,
    private readonly changes: CurrentChanges,
  ) {
    this.#insert = sql.appending('events', eventRow);
    this.#after = sql.prepare('SELECT * FROM events WHERE seq > ? ORDER BY seq LIMIT ?');
    this.#at = sql.prepare('SELECT * FROM events WHERE seq = ?');
    this.#find = sql.prepare('SELECT * FROM events WHERE id = ?');
    this.#ofEmail = sql.prepare('SELECT * FROM events WHERE email_id = ? ORDER BY seq');
    this.#since = sql.prepare('SELECT * FROM events WHERE created_at >= ? ORDER BY seq');
    this.#sinceOfWorkspace = sql.prepare(`SELECT events.* FROM events JOIN emails ON emails.id = events.email_id
       WHERE events.created_at >= ? AND emails.workspace = ? ORDER BY events.seq`);
    this.#lastSeq = sql.prepare('SELECT coalesce(max(seq), 0) FROM events');
    this.#counters = new CounterTable(sql);
  }

  async append(event: NewEvent, counter: CounterName | undefined): Promise<StoredEvent> {
    const stored = { ...event, seq: this.#insert(eventRow.values(event)) };
    this.changes().append(stored, counter);
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

  async since(instant: number, workspace?: string): Promise<StoredEvent[]> {
    return this.rows.all(
      'events',
      () => (workspace === undefined ? this.#since.all(instant) : this.#sinceOfWorkspace.all(instant, workspace)),
      readEvent,
    );
  }

  async lastSeq(): Promise<number> {
    return (await this.#lastSeq.value<number>()) ?? 0;
  }

  /** Returns the counts of events. Inside a transaction they include its own events. */
  async count(from: number, to: number): Promise<Counts> {
    const total = await this.#counters.sum(from, to);
    this.changes().counts.addTo(total, from, to);
    return total;
  }

  /** Writes the counts of a commit's events at the end of its transaction. */
  writeCounts(counts: CountsByInstant): void {
    this.#counters.add(counts);
  }
}

export const readEvent = storedEventRow.read;
