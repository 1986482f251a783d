import type Database from 'better-sqlite3';
import { isWholeAddress, normalizeAddress } from '../../../contract/vocabulary/addresses.js';
import type { Condition, Pattern, Query } from '../../../contract/vocabulary/query/query.js';
import { searchForm } from '../../../contract/vocabulary/text.js';
import { json } from '../../common/rows/columns.js';
import { isTrimmed } from '../../common/search/texts.js';
import type { Names } from './names.js';

/** Whether a statement reads a range of numbers, from `@after` to `@before`, or looks at rows one by one. */
export type Among = 'range' | 'row';

/** An SQL condition on a row of `emails`. It is true for every email that matches. */
export interface RowCondition {
  sql(among: Among): string;
  values: unknown[];
  /** Whether it is true for no other email. */
  isExact: boolean;
  /** Whether SQLite reads only emails for which it is true. */
  isIndexed?: boolean | undefined;
  /** The number of emails for which it is true, if that is known and small. */
  emails?: number | undefined;
}

type Sql = string | RowCondition['sql'];

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
const exact = (sql: Sql, ...values: unknown[]): RowCondition => condition(true)(sql, values);
const superset = (sql: Sql, ...values: unknown[]): RowCondition => condition(false)(sql, values);

const indexed = (condition: RowCondition): RowCondition => ({ ...condition, isIndexed: true });

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

const words: Record<string, RowCondition> = {
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

/** Translates conditions of queries to SQL. */
export class RowConditions {
  readonly #recipients;
  readonly #events;
  readonly #owned;

  constructor(
    db: Database.Database,
    private readonly names: Names,
  ) {
    this.#recipients = db
      .prepare(`SELECT count(*) FROM (SELECT 1 FROM recipients WHERE mailbox = ? LIMIT ${COUNT_MAX})`)
      .pluck();
    const amongNames = (column: OwnerColumn) =>
      db.prepare(`SELECT count(*) FROM (SELECT 1 FROM emails WHERE ${AMONG(column)} LIMIT ${COUNT_MAX})`).pluck();
    this.#owned = { workspace: amongNames('workspace'), template_id: amongNames('template_id') };
    this.#events = db
      .prepare(`SELECT count(*) FROM (SELECT 1 FROM ${RARE_EVENTS} AND type = ? LIMIT ${COUNT_MAX})`)
      .pluck();
  }

  /** Returns the condition of a query; undefined if SQL cannot narrow it. `now` is the time of the search. */
  of(query: Query, now: number): RowCondition | undefined {
    if (query.kind === 'condition') return this.#condition(query, now);
    if (query.kind === 'not') {
      const term = this.of(query.term, now);
      return term?.isExact ? exact((among) => `NOT (${term.sql(among)})`, ...term.values) : undefined;
    }
    const terms = query.terms.map((term) => this.of(term, now));
    const known = terms.filter((term) => term !== undefined);
    const isComplete = known.length === terms.length;
    if (!isComplete && (query.kind === 'or' || known.length === 0)) return undefined;
    if (known.length === 0) return exact(query.kind === 'and' ? '1' : '0');
    return {
      emails: countOf(query.kind, known),
      isIndexed: query.kind === 'and' ? known.some(isIndexed) : known.every(isIndexed),
      sql: (among) => `(${known.map(({ sql }) => sql(among)).join(query.kind === 'and' ? ' AND ' : ' OR ')})`,
      values: known.flatMap(({ values }) => values),
      isExact: isComplete && known.every(({ isExact }) => isExact),
    };
  }

  /** Returns the condition that emails are in a workspace; null for in none. */
  inWorkspace(workspace: string | null): RowCondition {
    if (workspace === null) return exact('workspace IS NULL');
    return { ...exact('workspace = ?', workspace), emails: fewer(this.#owned.workspace.get(json([workspace]))) };
  }

  #condition(condition: Condition, now: number): RowCondition | undefined {
    switch (condition.field) {
      case 'status':
        return indexed(exact('status = ?', condition.word));
      case 'origin':
        return exact('origin = ?', condition.word);
      case 'event':
        return this.#event(condition.word);
      case 'is':
      case 'has':
        return words[`${condition.field} ${condition.word}`];
      case 'before':
      case 'after': {
        const at = 'at' in condition.time ? condition.time.at : now - condition.time.ago;
        return exact(`created_at ${condition.field === 'before' ? '<' : '>='} ?`, at);
      }
      case 'larger':
        return condition.bytes >= LARGE_BYTES
          ? indexed(exact(LARGE, condition.bytes))
          : exact('size > ?', condition.bytes);
      case 'smaller':
        return exact('size < ?', condition.bytes);
      case 'header':
        return undefined;
      default:
        return this.#pattern(condition.field, condition.pattern);
    }
  }

  #pattern(field: Exclude<Condition['field'], 'header'>, pattern: Pattern): RowCondition | undefined {
    if (field === 'tag') return this.#tag(pattern);
    if (field === 'workspace' || field === 'template') {
      const names = this.names.of(field, pattern);
      const column = field === 'template' ? 'template_id' : field;
      return names && { ...superset(AMONG(column), json(names)), emails: fewer(this.#owned[column].get(json(names))) };
    }
    if (pattern.kind !== 'contains') return undefined;
    const { text } = pattern;
    switch (field) {
      case 'from':
      case 'cc':
      case 'bcc':
      case 'recipient':
      case 'dropped':
        if (!isWholeAddress(text)) return undefined;
        if (field === 'from') return superset('sender_mailbox = ?', normalizeAddress(text));
        return this.#toMailbox(normalizeAddress(text));
      case 'id':
        return { ...superset('id IN (?, ?)', text, searchForm(text)), emails: 2 };
      default:
        return undefined;
    }
  }

  #tag(pattern: Pattern): RowCondition | undefined {
    const tags = this.names.tags(pattern);
    return tags && condition(isTrimmed(pattern))(has('tags', AMONG('tag')), [json(tags)]);
  }

  /** Returns a condition on an event. Most types of events are rare, and the rows of those are in an index. */
  #event(type: string): RowCondition {
    const found = COMMON_EVENTS.includes(type) ? COUNT_MAX : (this.#events.get(type) as number);
    if (found === COUNT_MAX)
      return exact('EXISTS (SELECT 1 FROM events WHERE email_id = emails.id AND type = ?)', type);
    return { ...exact(`emails.id IN (SELECT email_id FROM ${RARE_EVENTS} AND type = ?)`, type), emails: found };
  }

  #toMailbox(mailbox: string): RowCondition {
    const emails = fewer(this.#recipients.get(mailbox));
    return { ...superset(has('recipients', 'mailbox = ?'), mailbox), emails };
  }
}

const isIndexed = (condition: RowCondition) => condition.isIndexed === true;

const AMONG = (column: string) => `${column} IN (SELECT value FROM json_each(?))`;

type OwnerColumn = 'workspace' | 'template_id';

/** Returns a number of emails that is not the limit of the count. */
function fewer(count: unknown): number | undefined {
  return (count as number) < COUNT_MAX ? (count as number) : undefined;
}

/** Returns the number of emails for which all or some of these conditions are true, if that is known and small. */
function countOf(kind: 'and' | 'or', conditions: readonly RowCondition[]): number | undefined {
  const counts = conditions.map(({ emails }) => emails).filter((count) => count !== undefined);
  if (kind === 'and') return counts.length === 0 ? undefined : Math.min(...counts);
  return counts.length < conditions.length ? undefined : counts.reduce((sum, count) => sum + count, 0);
}
