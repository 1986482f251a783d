import type Database from 'better-sqlite3';
import { searchForm } from '../../../contract/vocabulary/helpers/search-form.js';
import { isWholeAddress, normalizeAddress } from '../../../contract/vocabulary/parsers/address.js';
import type { Condition, Pattern, Query } from '../../../contract/vocabulary/query/query.js';
import { json } from '../rows/rows.js';

/** An SQL condition on a row of `emails`. It is true for every email that matches. */
export interface RowCondition {
  sql: string;
  values: unknown[];
  /** Whether it is true for no other email. */
  isExact: boolean;
  /** The number of emails for which it is true, if that is known and small. */
  emails?: number | undefined;
}

/** SQL for whether another table has a row of the email, within the window of the search. */
const has = (table: string, where = '1') =>
  `emails.seq IN (SELECT email_seq FROM ${table} WHERE email_seq > @after AND email_seq < @before AND ${where})`;

const exact = (sql: string, ...values: unknown[]): RowCondition => ({ sql, values, isExact: true });
const superset = (sql: string, ...values: unknown[]): RowCondition => ({ sql, values, isExact: false });

/** Maximum number of different tags or workspaces to compare with a name. */
const NAMES_MAX = 10_000;
/** Emails from this size on are in an index of their own. */
const LARGE_BYTES = 65_536;

/** Reads the index of large emails only. */
const LARGE = `emails.seq IN (SELECT seq FROM emails AS large INDEXED BY emails_large
  WHERE large.size > ? AND large.size >= ${LARGE_BYTES} AND large.seq > @after AND large.seq < @before)`;
/** Number of emails to one mailbox up to which they are counted. */
const COUNT_MAX = 1_000;

const words: Record<string, RowCondition> = {
  'is unread': exact('read_at IS NULL'),
  'is read': exact('read_at IS NOT NULL'),
  'is scheduled': exact("status = 'scheduled'"),
  'is suppressed': exact(has('recipients', "status = 'dropped'")),
  'is injected': exact(has('recipients', "status IN ('bounced', 'complained')")),
  'has attachment': exact(has('attachments')),
  'has html': exact(has('bodies INDEXED BY bodies_with_html', "(html <> '' OR html_key IS NOT NULL)")),
  'has link': superset(has('email_extracts', "links <> '[]'")),
  'has code': superset(has('email_extracts', "codes <> '[]'")),
  'has warning': exact(has('email_warnings')),
};

/** Translates conditions of queries to SQL. */
export class RowConditions {
  readonly #names;
  readonly #recipients;

  constructor(db: Database.Database) {
    // Jumps from each name to the next one in the index.
    const distinct = (table: string, name: string) =>
      db
        .prepare(
          `WITH RECURSIVE names (name) AS (
             SELECT min(${name}) FROM ${table}
             UNION ALL SELECT (SELECT min(${name}) FROM ${table} WHERE ${name} > names.name) FROM names
             WHERE names.name IS NOT NULL
           ) SELECT name FROM names WHERE name IS NOT NULL LIMIT ${NAMES_MAX + 1}`,
        )
        .pluck();
    this.#recipients = db
      .prepare(`SELECT count(*) FROM (SELECT 1 FROM recipients WHERE mailbox = ? LIMIT ${COUNT_MAX})`)
      .pluck();
    this.#names = { tag: distinct('tags', 'tag'), workspace: distinct('emails', 'workspace') };
  }

  /** Returns the condition of a query; undefined if SQL cannot narrow it. `now` is the time of the search. */
  of(query: Query, now: number): RowCondition | undefined {
    if (query.kind === 'condition') return this.#condition(query, now);
    if (query.kind === 'not') {
      const term = this.of(query.term, now);
      return term?.isExact ? { ...term, sql: `NOT (${term.sql})`, emails: undefined } : undefined;
    }
    const terms = query.terms.map((term) => this.of(term, now));
    const known = terms.filter((term) => term !== undefined);
    const isComplete = known.length === terms.length;
    if (!isComplete && (query.kind === 'or' || known.length === 0)) return undefined;
    if (known.length === 0) return exact(query.kind === 'and' ? '1' : '0');
    return {
      emails: countOf(query.kind, known),
      sql: `(${known.map(({ sql }) => sql).join(query.kind === 'and' ? ' AND ' : ' OR ')})`,
      values: known.flatMap(({ values }) => values),
      isExact: isComplete && known.every(({ isExact }) => isExact),
    };
  }

  #condition(condition: Condition, now: number): RowCondition | undefined {
    switch (condition.field) {
      case 'status':
      case 'origin':
        return exact(`${condition.field} = ?`, condition.word);
      case 'event':
        return exact('EXISTS (SELECT 1 FROM events WHERE email_id = emails.id AND type = ?)', condition.word);
      case 'is':
      case 'has':
        return words[`${condition.field} ${condition.word}`];
      case 'before':
      case 'after': {
        const at = 'at' in condition.time ? condition.time.at : now - condition.time.ago;
        return exact(`created_at ${condition.field === 'before' ? '<' : '>='} ?`, at);
      }
      case 'larger':
        return exact(condition.bytes >= LARGE_BYTES ? LARGE : 'size > ?', condition.bytes);
      case 'smaller':
        return exact('size < ?', condition.bytes);
      case 'header':
        return undefined;
      default:
        return this.#pattern(condition.field, condition.pattern);
    }
  }

  #pattern(field: Exclude<Condition['field'], 'header'>, pattern: Pattern): RowCondition | undefined {
    if (pattern.kind !== 'contains') return undefined;
    const { text } = pattern;
    switch (field) {
      case 'from':
      case 'to':
      case 'cc':
      case 'bcc':
      case 'recipient':
      case 'dropped':
        if (!isWholeAddress(text)) return undefined;
        if (field === 'from') return superset('sender_mailbox = ?', normalizeAddress(text));
        return this.#toMailbox(normalizeAddress(text));
      case 'id':
        return { ...superset('id IN (?, ?)', text, searchForm(text)), emails: 2 };
      case 'tag':
        return this.#named('tag', text, (names) => superset(has('tags', AMONG('tag')), names));
      case 'workspace':
        return this.#named('workspace', text, (names) => superset(AMONG('workspace'), names));
      default:
        return undefined;
    }
  }

  #toMailbox(mailbox: string): RowCondition {
    const emails = this.#recipients.get(mailbox) as number;
    return { ...superset(has('recipients', 'mailbox = ?'), mailbox), emails: emails < COUNT_MAX ? emails : undefined };
  }

  /** Returns a condition on the tags or workspaces with this name, of which there are usually few. */
  #named(
    field: 'tag' | 'workspace',
    text: string,
    condition: (names: string) => RowCondition,
  ): RowCondition | undefined {
    const all = this.#names[field].all() as string[];
    if (all.length > NAMES_MAX) return undefined;
    const wanted = searchForm(text);
    return condition(json(all.filter((name) => searchForm(name).trim() === wanted)));
  }
}

const AMONG = (column: string) => `${column} IN (SELECT value FROM json_each(?))`;

/** Returns the number of emails for which all or some of these conditions are true, if that is known and small. */
function countOf(kind: 'and' | 'or', conditions: readonly RowCondition[]): number | undefined {
  const counts = conditions.map(({ emails }) => emails).filter((count) => count !== undefined);
  if (kind === 'and') return counts.length === 0 ? undefined : Math.min(...counts);
  return counts.length < conditions.length ? undefined : counts.reduce((sum, count) => sum + count, 0);
}
