import { type CounterName, eventTypes } from '../../../contract/vocabulary/event-types.js';
import type { Caller } from '../../../core/model/emails.js';
import type { Counts, NewEvent, StoredEvent } from '../../../core/model/events.js';
import type { RemovableQuery } from '../../../core/reads.js';
import type { Changes } from '../changes.js';
import { instant, key, oneOf, serializedObject, text, textOrNull } from '../rows/column-kinds.js';
import { type ColumnsOf, RowMapping } from '../rows/mapping.js';
import { type Dialect, ObservedTable, type Statement } from '../sql.js';
import { CounterTable, CountsByInstant } from './counters.js';

const eventColumns: ColumnsOf<NewEvent> = {
  id: text('id'),
  type: oneOf('type', eventTypes),
  createdAt: instant('created_at'),
  emailId: textOrNull('email_id'),
  recipient: textOrNull('recipient'),
  payload: serializedObject('payload'),
};

const eventRow = new RowMapping<NewEvent>(eventColumns);
const callerRow = new RowMapping<Caller>({
  traceparent: textOrNull('traceparent'),
  clientRequestId: textOrNull('client_request_id'),
});
const storedEventRow = new RowMapping<StoredEvent>({ seq: key('seq'), ...eventColumns });

/** What keeps an event whose email does not, in the column `held_by`. */
const HELD_BY_NUMBER = 1;
const HELD_BY_DELIVERY = 2;
const OF_NONE = `held_by = ${HELD_BY_NUMBER}`;

/** Marks the imported events whose emails are missing in the archive, such as those whose deletion could be undone. */
export const HOLD_WITHOUT_EMAIL = `UPDATE events
  SET held_by = CASE WHEN email_id IS NULL THEN ${HELD_BY_NUMBER} ELSE ${HELD_BY_DELIVERY} END
  WHERE held_by IS NULL AND NOT EXISTS (SELECT 1 FROM emails WHERE emails.id = events.email_id)`;

/** The name of the setting with the number up to which retention has removed events. */
const REMOVED_SETTING = 'events_removed';

/**
 * Selects events that are dispatched to all subscriptions, and have no delivery that still waits for an attempt. With
 * NOT EXISTS, PostgreSQL would read all open deliveries.
 */
const isDone = ({ indexedBy }: Dialect) =>
  `(SELECT 1 FROM ${indexedBy('deliveries', 'deliveries_event')} WHERE event_seq = events.seq AND state = 'pending' LIMIT 1) IS NULL
   AND NOT EXISTS (SELECT 1 FROM webhooks WHERE active = 1 AND since_seq < events.seq)`;

const columnOfEmail = (column: string) =>
  `(SELECT ${column} FROM emails WHERE emails.id = events.email_id) AS ${column}`;

/** Stores the event log, from which old events are removed, and updates its counters. */
export class EventTable extends ObservedTable {
  readonly #isDone = isDone(this.sql.dialect);
  readonly #insert = this.sql.appending('events', eventRow);
  readonly #after = this.sql.prepare('SELECT * FROM events WHERE seq > ? ORDER BY seq LIMIT ?');
  readonly #at = this.sql.prepare(
    `SELECT events.*, ${columnOfEmail('traceparent')}, ${columnOfEmail('client_request_id')} FROM events WHERE seq = ?`,
  );
  readonly #find = this.sql.prepare('SELECT * FROM events WHERE id = ?');
  readonly #ofEmail = this.sql.prepare('SELECT * FROM events WHERE email_id = ? ORDER BY seq');
  readonly #since = this.sql.prepare('SELECT * FROM events WHERE created_at >= ? ORDER BY seq');
  readonly #sinceOfWorkspace = this.sql.prepare(`SELECT events.* FROM events JOIN emails ON emails.id = events.email_id
       WHERE events.created_at >= ? AND emails.workspace = ? ORDER BY events.seq`);
  readonly #lastSeq = this.sql.prepare('SELECT coalesce(max(seq), 0) FROM events');
  readonly #lastBefore = this.sql.prepare('SELECT seq FROM events WHERE id < ? ORDER BY id DESC LIMIT 1');
  // Processes make IDs before they wait for each other, so an event with a later ID may have an earlier number.
  readonly #firstAfter = this.sql.prepare('SELECT min(seq) FROM events WHERE id > ?');
  readonly #lastOfEmails = this.sql.prepare(`SELECT coalesce(max(seq), 0) FROM events WHERE ${this.among('email_id')}`);
  readonly #hold = this.sql.prepare(`UPDATE events SET held_by = ${HELD_BY_NUMBER} WHERE seq = ?`);
  readonly #ofEmails = this.sql.prepare(
    `SELECT seq, CASE WHEN ${this.#isDone} THEN 1 ELSE 0 END FROM events WHERE ${this.among('email_id')}`,
  );
  readonly #removable = {
    byNumber: this.#removableIf(
      `${OF_NONE} AND seq <= (SELECT seq FROM events WHERE ${OF_NONE} ORDER BY seq DESC LIMIT 1 OFFSET @keep)`,
    ),
    byAge: this.#removableIf(`${OF_NONE} AND created_at < @before`),
  };
  readonly #heldByDelivery = this.sql.prepare(
    `SELECT seq, CASE WHEN ${this.#isDone} THEN 1 ELSE 0 END FROM events
     WHERE held_by = ${HELD_BY_DELIVERY} AND seq > ? ORDER BY seq LIMIT ?`,
  );
  readonly #done = this.sql.prepare(`SELECT seq FROM events WHERE ${this.among('seq')} AND ${this.#isDone}`);
  readonly #holdForDelivery = this.sql.prepare(
    `UPDATE events SET held_by = ${HELD_BY_DELIVERY} WHERE ${this.among('seq')}`,
  );
  readonly #deleteDeliveries = this.sql.prepare(`DELETE FROM deliveries WHERE ${this.among('event_seq')}`);
  readonly #delete = this.sql.prepare(`DELETE FROM events WHERE ${this.among('seq')}`);
  readonly #removedUpTo = this.sql.prepare(`SELECT value FROM settings WHERE name = '${REMOVED_SETTING}'`);
  readonly #setRemoved = this.sql.prepare(
    `INSERT INTO settings (name, value) VALUES ('${REMOVED_SETTING}', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  );
  readonly #counters = new CounterTable(this.sql);

  #removableIf(condition: string): Statement {
    return this.sql.prepare(`SELECT seq FROM events WHERE ${condition} AND ${this.#isDone} ORDER BY seq LIMIT @limit`);
  }

  async append(
    event: NewEvent,
    counter: CounterName | undefined,
    hasEmail = event.emailId !== null,
  ): Promise<StoredEvent> {
    const stored = { ...event, seq: this.#insert(eventRow.values(event)) };
    if (!hasEmail) this.#hold.send(stored.seq);
    this.changes().append(stored, counter);
    return stored;
  }

  async after(seq: number, limit: number): Promise<StoredEvent[]> {
    return this.rows.all('events', () => this.#after.all(seq, limit), readEvent);
  }

  /** Returns an event, and the caller who sent its email; nulls if there is none. */
  async at(seq: number): Promise<{ event: StoredEvent; caller: Caller } | undefined> {
    return this.rows.one(
      'events',
      () => this.#at.get(seq),
      (row) => ({ event: readEvent(row), caller: callerRow.read(row) }),
    );
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
    return Math.max((await this.#lastSeq.value<number>()) ?? 0, await this.removedUpTo());
  }

  async lastBefore(id: string): Promise<number> {
    const before = (await this.#lastBefore.value<number>(id)) ?? 0;
    const after = (await this.#firstAfter.value<number | null>(id)) ?? Number.POSITIVE_INFINITY;
    return Math.min(before, after - 1);
  }

  async lastOfEmails(emailIds: readonly string[]): Promise<number> {
    return (await this.#lastOfEmails.value<number>(this.sql.list(emailIds))) ?? 0;
  }

  async removedUpTo(): Promise<number> {
    const seq = Number(await this.#removedUpTo.value<string>());
    return Number.isSafeInteger(seq) ? seq : 0;
  }

  async raiseRemoved(seq: number): Promise<void> {
    if (seq > (await this.removedUpTo())) this.#setRemoved.send(String(seq));
  }

  async heldByDelivery(after: number, limit: number): Promise<{ seq: number; isDone: boolean }[]> {
    const found = await this.#heldByDelivery.tuples<[number, 0 | 1]>(after, limit);
    return found.map(([seq, done]) => ({ seq, isDone: done === 1 }));
  }

  async removable({ keep, before, limit }: RemovableQuery): Promise<number[]> {
    const { byNumber, byAge } = this.#removable;
    const old = before === null ? [] : await byAge.values<number>({ before, limit });
    const all = new Set([...(await byNumber.values<number>({ keep, limit })), ...old]);
    return [...all].slice(0, limit);
  }

  async remove(seqs: readonly number[]): Promise<void> {
    this.#deleteAll(await this.#done.values<number>(this.sql.list(seqs)));
  }

  /** Removes the events of deleted emails. Those with open deliveries are held until these have ended. */
  async removeOf(emailIds: readonly string[]): Promise<void> {
    const found = await this.#ofEmails.tuples<[number, 0 | 1]>(this.sql.list(emailIds));
    const held = found.filter(([, done]) => done === 0).map(([seq]) => seq);
    this.#deleteAll(found.filter(([, done]) => done === 1).map(([seq]) => seq));
    if (held.length > 0) this.#holdForDelivery.send(this.sql.list(held));
  }

  #deleteAll(seqs: readonly number[]): void {
    if (seqs.length === 0) return;
    this.#deleteDeliveries.send(this.sql.list(seqs));
    this.#delete.send(this.sql.list(seqs));
  }

  /** Returns the counts of events. Inside a transaction they include its own events. */
  async count(from: number, to: number): Promise<Counts> {
    const total = await this.#counters.sum(from, to);
    new CountsByInstant(this.changes()).addTo(total, from, to);
    return total;
  }

  async hasFineCounts(now: number): Promise<boolean> {
    return (await this.#counters.fineCounts(now)) !== undefined;
  }

  async rollUpCounts(now: number): Promise<void> {
    const fine = await this.#counters.fineCounts(now);
    if (fine) await this.#counters.rollUp(fine);
  }

  /** Writes the counts of a commit's events at the end of its transaction. */
  writeCounts(changes: Changes): void {
    this.#counters.add(new CountsByInstant(changes));
  }
}

export const readEvent = storedEventRow.read;
