import type Database from 'better-sqlite3';
import type { Pattern } from '../../../contract/vocabulary/query/query.js';
import { json } from '../../common/rows/columns.js';
import { type NamedField, type RowCondition, RowConditions } from '../../common/search/conditions.js';
import { isTrimmed } from '../../common/search/texts.js';
import type { Names } from './names.js';

/** Whether a statement reads a range of numbers, from `@after` to `@before`, or looks at rows one by one. */
export type Among = 'range' | 'row';

export interface SqliteCondition extends RowCondition {
  sql(among: Among): string;
  /** Whether SQLite reads only emails for which it is true. */
  isIndexed?: boolean | undefined;
  /** The number of emails for which it is true, if that is known and small. */
  emails?: number | undefined;
}

type Sql = string | SqliteCondition['sql'];

/** SQL for whether another table has a row of the email. */
const has =
  (table: string, where = '1') =>
  (among: Among) =>
    among === 'row'
      ? `EXISTS (SELECT 1 FROM ${table} WHERE email_seq = emails.seq AND ${where})`
      : `emails.seq IN (SELECT email_seq FROM ${table} WHERE email_seq > @after AND email_seq < @before AND ${where})`;

const condition = (isExact: boolean) => (sql: Sql, values: unknown[]) => ({
  ...{ values, isExact },
  sql: typeof sql === 'string' ? () => sql : sql,
});
const exact = (sql: Sql, ...values: unknown[]): SqliteCondition => condition(true)(sql, values);
const superset = (sql: Sql, ...values: unknown[]): SqliteCondition => condition(false)(sql, values);

const indexed = (condition: SqliteCondition): SqliteCondition => ({ ...condition, isIndexed: true });

/** Emails from this size on are in an index of their own. */
const LARGE_BYTES = 65_536;

/** Reads the index of large emails only. */
const LARGE = (among: Among) =>
  among === 'row'
    ? 'size > ?'
    : `emails.seq IN (SELECT seq FROM emails AS large INDEXED BY emails_large
  WHERE large.size > ? AND large.size >= ${LARGE_BYTES} AND large.seq > @after AND large.seq < @before)`;
/** Number of emails to one mailbox, of one workspace or template, or with one type of event, up to which they are counted. */
const COUNT_MAX = 1_000;

const COMMON_EVENTS = ['email.sent', 'email.delivered'];
const RARE_EVENTS = `events INDEXED BY events_rare WHERE email_id IS NOT NULL AND type NOT IN (${COMMON_EVENTS.map((type) => `'${type}'`).join(', ')})`;

/** Reads the index of recipients that did not get an email. */
const failed = (where: string) =>
  has('recipients INDEXED BY recipients_failed', `status IN ('bounced', 'complained', 'dropped') AND ${where}`);

const words: Record<string, SqliteCondition> = {
  'is unread': exact('read_at IS NULL'),
  'is read': indexed(exact('read_at IS NOT NULL')),
  'is scheduled': indexed(exact("status = 'scheduled'")),
  'is suppressed': indexed(exact(failed("status = 'dropped'"))),
  'is injected': indexed(exact(failed("status <> 'dropped'"))),
  'has attachment': indexed(exact(has('attachments'))),
  'has html': exact(has('bodies INDEXED BY bodies_with_html', 'html_size > 0')),
  'has link': superset(has('email_extracts INDEXED BY extracts_links', "links <> '[]'")),
  'has code': superset(has('email_extracts INDEXED BY extracts_codes', "codes <> '[]'")),
  'has warning': indexed(exact(has('email_warnings'))),
};

/** Conditions of queries, with what SQLite's planner must be told: the indexes, and how many emails a condition finds. */
export class SqliteConditions extends RowConditions<SqliteCondition> {
  protected override readonly words = words;
  protected override readonly exact = exact;
  protected override readonly superset = superset;
  readonly #recipients;
  readonly #events;
  readonly #owned;

  constructor(
    db: Database.Database,
    private readonly names: Names,
  ) {
    super();
    this.#recipients = db
      .prepare(`SELECT count(*) FROM (SELECT 1 FROM recipients WHERE mailbox = ? LIMIT ${COUNT_MAX})`)
      .pluck();
    const amongNames = (column: string) =>
      db.prepare(`SELECT count(*) FROM (SELECT 1 FROM emails WHERE ${AMONG(column)} LIMIT ${COUNT_MAX})`).pluck();
    this.#owned = { workspace: amongNames('workspace'), template: amongNames('template_id') };
    this.#events = db
      .prepare(`SELECT count(*) FROM (SELECT 1 FROM ${RARE_EVENTS} AND type = ? LIMIT ${COUNT_MAX})`)
      .pluck();
  }

  /** Returns the condition that emails are in a workspace; null for in none. */
  inWorkspace(workspace: string | null): SqliteCondition {
    if (workspace === null) return exact('workspace IS NULL');
    return { ...exact('workspace = ?', workspace), emails: fewer(this.#owned.workspace.get(json([workspace]))) };
  }

  protected override not({ sql, values }: SqliteCondition): SqliteCondition {
    return exact((among) => `NOT (${sql(among)})`, ...values);
  }

  protected override joined(kind: 'and' | 'or', terms: readonly SqliteCondition[], isExact: boolean): SqliteCondition {
    return {
      emails: countOf(kind, terms),
      isIndexed: kind === 'and' ? terms.some(isIndexed) : terms.every(isIndexed),
      sql: (among) => `(${terms.map(({ sql }) => sql(among)).join(kind === 'and' ? ' AND ' : ' OR ')})`,
      values: terms.flatMap(({ values }) => values),
      isExact,
    };
  }

  protected override status(status: string): SqliteCondition {
    return indexed(exact('status = ?', status));
  }

  /** Most types of events are rare, and the rows of those are in an index. */
  protected override event(type: string): SqliteCondition {
    const found = COMMON_EVENTS.includes(type) ? COUNT_MAX : (this.#events.get(type) as number);
    if (found === COUNT_MAX)
      return exact('EXISTS (SELECT 1 FROM events WHERE email_id = emails.id AND type = ?)', type);
    return { ...exact(`emails.id IN (SELECT email_id FROM ${RARE_EVENTS} AND type = ?)`, type), emails: found };
  }

  protected override larger(bytes: number): SqliteCondition {
    return bytes >= LARGE_BYTES ? indexed(exact(LARGE, bytes)) : exact('size > ?', bytes);
  }

  protected override tag(pattern: Pattern): SqliteCondition | undefined {
    const tags = this.names.tags(pattern);
    return tags && condition(isTrimmed(pattern))(has('tags', AMONG('tag')), [json(tags)]);
  }

  protected override named(field: NamedField, names: readonly string[]): SqliteCondition {
    const column = field === 'template' ? 'template_id' : field;
    return { ...superset(AMONG(column), json(names)), emails: fewer(this.#owned[field].get(json(names))) };
  }

  protected override namesOf(field: NamedField): string[] {
    return this.names.all(field);
  }

  protected override toMailbox(mailbox: string): SqliteCondition {
    return { ...superset(has('recipients', 'mailbox = ?'), mailbox), emails: fewer(this.#recipients.get(mailbox)) };
  }

  protected override withId(...ids: [string, string]): SqliteCondition {
    return { ...superset('id IN (?, ?)', ...ids), emails: 2 };
  }
}

const isIndexed = (condition: SqliteCondition) => condition.isIndexed === true;

const AMONG = (column: string) => `${column} IN (SELECT value FROM json_each(?))`;

/** Returns a number of emails that is not the limit of the count. */
function fewer(count: unknown): number | undefined {
  return (count as number) < COUNT_MAX ? (count as number) : undefined;
}

/** Returns the number of emails for which all or some of these conditions are true, if that is known and small. */
function countOf(kind: 'and' | 'or', conditions: readonly SqliteCondition[]): number | undefined {
  const counts = conditions.map(({ emails }) => emails).filter((count) => count !== undefined);
  if (kind === 'and') return counts.length === 0 ? undefined : Math.min(...counts);
  return counts.length < conditions.length ? undefined : counts.reduce((sum, count) => sum + count, 0);
}
