import { isWholeAddress, normalizeAddress } from '../../../contract/vocabulary/addresses.js';
import type { Condition, Pattern, Query } from '../../../contract/vocabulary/query/query.js';
import { searchForm } from '../../../contract/vocabulary/text.js';
import { isTrimmed, tagForm } from '../../common/search/texts.js';
import { likeText, type PostgresSql } from '../statements/sql.js';

/** An SQL condition on a row of `emails`. It is true for every email that matches. */
export interface RowCondition {
  sql: string;
  values: unknown[];
  /** Whether it is true for no other email. */
  isExact: boolean;
}

/** Maximum number of workspaces or templates that are compared with a pattern. */
const NAMES_MAX = 10_000;

const exact = (sql: string, ...values: unknown[]): RowCondition => ({ sql, values, isExact: true });
const superset = (sql: string, ...values: unknown[]): RowCondition => ({ sql, values, isExact: false });

/** SQL for whether another table has a row of the email. */
const has = (table: string, where = 'true') =>
  `EXISTS (SELECT 1 FROM ${table} WHERE email_seq = emails.seq AND ${where})`;

const failed = (where: string) => has('recipients', `status IN ('bounced', 'complained', 'dropped') AND ${where}`);

const words: Record<string, RowCondition> = {
  'is unread': exact('read_at IS NULL'),
  'is read': exact('read_at IS NOT NULL'),
  'is scheduled': exact("status = 'scheduled'"),
  'is suppressed': exact(failed("status = 'dropped'")),
  'is injected': exact(failed("status <> 'dropped'")),
  'has attachment': exact(has('attachments')),
  'has html': exact(has('bodies', 'html_size > 0')),
  'has link': superset(has('email_extracts', "links <> '[]'")),
  'has code': superset(has('email_extracts', "codes <> '[]'")),
  'has warning': exact(has('email_warnings')),
};

/** Translates conditions of queries to SQL. PostgreSQL decides which of them it reads from an index. */
export class RowConditions {
  readonly #names;

  constructor(sql: PostgresSql) {
    // Jumps from each name to the next one in the index.
    const distinct = (name: string) =>
      sql.prepare(
        `WITH RECURSIVE names (name) AS (
           (SELECT ${name} FROM emails WHERE ${name} IS NOT NULL ORDER BY ${name} LIMIT 1)
           UNION ALL SELECT (SELECT ${name} FROM emails WHERE ${name} > names.name ORDER BY ${name} LIMIT 1) FROM names
             WHERE names.name IS NOT NULL)
         SELECT name FROM names WHERE name IS NOT NULL LIMIT ${NAMES_MAX + 1}`,
      );
    this.#names = { workspace: distinct('workspace'), template: distinct('template_id') };
  }

  /** Returns the condition of a query; undefined if SQL cannot narrow it. `now` is the time of the search. */
  async of(query: Query, now: number): Promise<RowCondition | undefined> {
    if (query.kind === 'condition') return this.#condition(query, now);
    if (query.kind === 'not') {
      const term = await this.of(query.term, now);
      return term?.isExact ? exact(`NOT (${term.sql})`, ...term.values) : undefined;
    }
    const terms = await Promise.all(query.terms.map((term) => this.of(term, now)));
    const known = terms.filter((term) => term !== undefined);
    const isComplete = known.length === terms.length;
    if (!isComplete && (query.kind === 'or' || known.length === 0)) return undefined;
    if (known.length === 0) return exact(query.kind === 'and' ? 'true' : 'false');
    return {
      sql: `(${known.map(({ sql }) => sql).join(query.kind === 'and' ? ' AND ' : ' OR ')})`,
      values: known.flatMap(({ values }) => values),
      isExact: isComplete && known.every(({ isExact }) => isExact),
    };
  }

  async #condition(condition: Condition, now: number): Promise<RowCondition | undefined> {
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
        return exact(`created_at ${condition.field === 'before' ? '<' : '>='} ?`, Math.round(at));
      }
      case 'larger':
        return exact('size > ?', condition.bytes);
      case 'smaller':
        return exact('size < ?', condition.bytes);
      case 'header':
        return undefined;
      default:
        return this.#pattern(condition.field, condition.pattern);
    }
  }

  async #pattern(field: Exclude<Condition['field'], 'header'>, pattern: Pattern): Promise<RowCondition | undefined> {
    if (field === 'tag') return tagCondition(pattern);
    if (pattern.kind !== 'contains') return undefined;
    const { text } = pattern;
    switch (field) {
      case 'workspace':
      case 'template': {
        const names = await this.#named(field, text);
        return names && superset(`${field === 'template' ? 'template_id' : field} = ANY(?)`, names);
      }
      case 'from':
        return isWholeAddress(text) ? superset('sender_mailbox = ?', normalizeAddress(text)) : undefined;
      case 'cc':
      case 'bcc':
      case 'recipient':
      case 'dropped':
        return isWholeAddress(text) ? superset(has('recipients', 'mailbox = ?'), normalizeAddress(text)) : undefined;
      case 'id':
        return superset('id IN (?, ?)', text, searchForm(text));
      default:
        return undefined;
    }
  }

  /** Returns the workspaces or templates with a name; undefined if there are too many to compare. */
  async #named(field: 'workspace' | 'template', text: string): Promise<string[] | undefined> {
    const names = await this.#names[field].values<string>();
    const wanted = searchForm(text).trim();
    return names.length > NAMES_MAX ? undefined : names.filter((name) => searchForm(name).trim() === wanted);
  }
}

function tagCondition(pattern: Pattern): RowCondition | undefined {
  if (pattern.kind !== 'contains' && pattern.kind !== 'glob') return undefined;
  const ofForm = (condition: string) => has('tags', `tag IN (SELECT tag FROM tag_forms WHERE ${condition})`);
  const condition =
    pattern.kind === 'contains'
      ? exact(ofForm('form = ?'), tagForm(pattern.text))
      : exact(ofForm('form LIKE ?'), pattern.parts.map((part) => likeText(searchForm(part))).join('%'));
  return { ...condition, isExact: isTrimmed(pattern) };
}
