import { Client, type Pool } from 'pg';
import type { StoredEvent } from '../../../core/model/events.js';
import type { Committed } from '../../../core/store.js';
import type { Sql } from '../../common/sql.js';
import { connectionTo } from './database-url.js';
import { reasonOf } from './errors.js';

/** The channel of PostgreSQL on which processes announce that they committed. */
const CHANNEL = 'svc_commits';
/** How often to look for commits of others that were not announced, in milliseconds. */
const POLL_MS = 1_000;
const COMMITS_PER_READ = 100;
/** Milliseconds after a read in which commits are collected for the next one. */
const PAUSE_MS = 10;
/** How long rows of commits stay. A process that was suspended for longer reads the events that it missed. */
const KEPT = "interval '10 minutes'";
const POLLS_PER_TRIM = 60;

/** Whether a commit has events, and any that are not of an email. */
const EVENTS = { none: 0, ofEmails: 1, others: 2 };

type CommitRow = [
  ...[seq: number, process: string, events: number, jobs: 0 | 1],
  ...[firstEvent: number, lastEvent: number, deleted: 0 | 1, emails: string, more: string | null],
];

interface AnnouncerOptions {
  url: string;
  pool: Pool;
  /** Reads outside of transactions. */
  sql: Sql;
  /** The name of this process in the table `commits`. */
  process: string;
  eventsFrom(first: number, last: number): Promise<StoredEvent[]>;
  notify(committed: Committed): void;
  /** Returns whether a listener follows the events of emails. */
  needsEvents(): boolean;
  /** Deletes what other tables keep for a limited time. */
  trim(): Promise<void>;
  /** Reports once that the connection was lost, and that it is back. */
  onNotice?: ((text: string) => void) | undefined;
}

/**
 * Notifies listeners of the commits of all processes, each once and in the order of their numbers. A commit of this
 * process is announced at once, unless commits of others come before it.
 */
export class Announcer {
  readonly #rows;
  readonly #last;
  readonly #trim;
  /** The number of the last commit that was announced. */
  #announced = 0;
  /** The number of the last event that was announced. */
  #lastEvent = 0;
  /** Commits of this process that were not announced yet. */
  readonly #own = new Map<number, Committed>();
  /** The number of the commit of this process that is under way. */
  #underWay: number | undefined;
  #reading: Promise<void> | undefined;
  #readAgain = false;
  #pause: NodeJS.Timeout | undefined;
  #listener: Client | undefined;
  #connecting: Promise<void> | undefined;
  #isLost = false;
  #timer: NodeJS.Timeout | undefined;
  #polls = 0;
  #notifying: Promise<void> | undefined;
  #notifyAgain = false;
  #closed = false;

  constructor(private readonly options: AnnouncerOptions) {
    const { sql } = options;
    this.#rows = sql.prepare(
      `SELECT seq, process, events, jobs, first_event, last_event, deleted, emails, more FROM commits
       WHERE seq > ? ORDER BY seq LIMIT ${COMMITS_PER_READ}`,
    );
    this.#last = sql.prepare('SELECT commits, events FROM ledger');
    this.#trim = sql.prepare(`DELETE FROM commits WHERE at < now() - ${KEPT}`);
  }

  /** Starts with the next commit. */
  async start(): Promise<void> {
    await this.#listen();
    [this.#announced, this.#lastEvent] = (await this.#last.tuple<[number, number]>()) ?? [0, 0];
    this.#timer = setInterval(() => this.#poll(), POLL_MS);
    this.#timer.unref();
  }

  /** Returns the function that inserts the row of a commit of this process, inside its transaction. */
  recorder(sql: Sql): (seq: number, committed: Committed) => void {
    const insert = sql.prepare(
      `INSERT INTO commits (seq, process, events, jobs, first_event, last_event, deleted, emails, more)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    return (seq, { events, jobs, appended, emails, deleted, ...rest }) => {
      this.#underWay = seq;
      const [first, last] = [appended[0]?.seq ?? 0, appended.at(-1)?.seq ?? -1];
      const ids = JSON.stringify(emails);
      const kind = appended.some(({ emailId }) => emailId === null) ? EVENTS.others : EVENTS.ofEmails;
      const values = [events ? kind : EVENTS.none, Number(jobs), first, last, Number(deleted ?? false), ids];
      insert.send(seq, this.options.process, ...values, Object.keys(rest).length > 0 ? JSON.stringify(rest) : null);
    };
  }

  /** Announces a commit of this process, and wakes other processes. */
  committed(seq: number, committed: Committed): void {
    this.#underWay = undefined;
    this.#wakeOthers();
    if (seq === this.#announced + 1 && !this.#reading) {
      this.#announce(seq, committed, committed.appended.at(-1)?.seq);
      return;
    }
    this.#own.set(seq, committed);
    this.#read();
  }

  /** Ends a commit of this process that failed, or whose outcome is unknown. */
  failed(): void {
    this.#underWay = undefined;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    clearTimeout(this.#pause);
    await this.#reading;
    await this.#notifying;
    await this.#listener?.end().catch(() => {});
  }

  async #listen(): Promise<void> {
    const client = new Client(connectionTo(this.options.url, 'svc listener'));
    const forget = () => {
      if (this.#listener === client) this.#listener = undefined;
    };
    client.on('error', forget);
    client.on('end', forget);
    client.on('notification', ({ payload }) => {
      if (payload !== this.options.process) this.#read();
    });
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
    } catch (error) {
      client.end().catch(() => {});
      throw error;
    }
    if (this.#closed) return client.end();
    this.#listener = client;
  }

  #poll(): void {
    if (!this.#listener) {
      // Connecting may take longer than the time between polls.
      this.#connecting ??= this.#listen()
        .then(
          () => this.#setLost(undefined),
          (error: unknown) => this.#setLost(reasonOf(error)),
        )
        .finally(() => {
          this.#connecting = undefined;
        });
    }
    this.#polls += 1;
    if (this.#polls % POLLS_PER_TRIM === 0) {
      Promise.all([this.#trim.run(), this.options.trim()]).catch(() => {});
    }
    this.#read();
  }

  #setLost(reason: string | undefined): void {
    const isLost = reason !== undefined;
    if (isLost === this.#isLost || this.#closed) return;
    this.#isLost = isLost;
    this.options.onNotice?.(
      isLost
        ? `The connection to the database was lost: ${reason}. svc tries to connect again.`
        : 'The connection to the database is back.',
    );
  }

  /** Sends one notification at a time. A notification takes a lock of the whole server, so none is sent in a commit. */
  #wakeOthers(): void {
    if (this.#notifying) {
      this.#notifyAgain = true;
      return;
    }
    this.#notifying = this.options.pool
      .query('SELECT pg_notify($1, $2)', [CHANNEL, this.options.process])
      // Other processes find the commit when they look for it.
      .then(
        () => {},
        () => {},
      )
      .finally(() => {
        this.#notifying = undefined;
        if (this.#notifyAgain && !this.#closed) {
          this.#notifyAgain = false;
          this.#wakeOthers();
        }
      });
  }

  /** Reads commits that were not announced, and announces them. */
  #read(): void {
    if (this.#closed) return;
    if (this.#reading || this.#pause) {
      this.#readAgain = true;
      return;
    }
    this.#reading = this.#announceNext()
      // The next poll tries again. Writes report that the database is unavailable.
      .catch(() => {})
      .finally(() => {
        this.#reading = undefined;
        if (this.#closed) return;
        this.#pause = setTimeout(() => {
          this.#pause = undefined;
          if (!this.#readAgain) return;
          this.#readAgain = false;
          this.#read();
        }, PAUSE_MS);
        this.#pause.unref();
      });
  }

  async #announceNext(): Promise<void> {
    for (let isFull = true; isFull && !this.#closed; ) {
      const rows = await this.#rows.tuples<CommitRow>(this.#announced);
      isFull = rows.length === COMMITS_PER_READ;
      const events = await this.#foreignEvents(rows);
      for (const row of rows) {
        const [seq] = row;
        // It is announced when its flush has been reported to this process.
        if (seq === this.#underWay) return;
        const committed = this.#own.get(seq) ?? this.#foreign(row, events);
        this.#own.delete(seq);
        this.#announce(seq, committed, row[5]);
      }
    }
  }

  #announce(seq: number, committed: Committed, lastEvent = 0): void {
    this.#announced = seq;
    this.#lastEvent = Math.max(this.#lastEvent, lastEvent);
    this.options.notify(committed);
  }

  /** Reads the events that listeners need of several commits of other processes. */
  async #foreignEvents(rows: readonly CommitRow[]): Promise<StoredEvent[]> {
    const isFirstLate = rows[0] !== undefined && this.#isLate(rows[0][0]);
    let first = isFirstLate ? this.#lastEvent + 1 : Number.POSITIVE_INFINITY;
    let last = -1;
    for (const [index, [seq, , events, , from, to]] of rows.entries()) {
      const isNeeded = events === EVENTS.others || this.options.needsEvents() || (index === 0 && isFirstLate);
      if (this.#own.has(seq) || to < from || !isNeeded) continue;
      first = Math.min(first, from);
      last = Math.max(last, to);
    }
    return first <= last ? this.options.eventsFrom(first, last) : [];
  }

  /** Returns whether rows of commits before this one were deleted while this process was suspended. */
  #isLate(seq: number): boolean {
    return seq > this.#announced + 1;
  }

  #foreign(row: CommitRow, read: readonly StoredEvent[]): Committed {
    const [seq, , events, jobs, firstEvent, last, deleted, emails, more] = row;
    const isLate = this.#isLate(seq);
    // Their events still exist.
    const first = isLate ? this.#lastEvent + 1 : firstEvent;
    return {
      foreign: true,
      events: events !== EVENTS.none || isLate,
      jobs: jobs === 1 || isLate,
      appended: read.filter((event) => event.seq >= first && event.seq <= last),
      emails: JSON.parse(emails) as string[],
      ...(deleted === 1 && { deleted: true }),
      ...(more !== null && (JSON.parse(more) as Partial<Committed>)),
      // Settings may have been changed in the rows that were deleted.
      ...(isLate && { settings: true, logs: true }),
    };
  }
}
