import type { Pattern } from '../../../contract/vocabulary/query/query.js';
import { searchForm } from '../../../contract/vocabulary/text.js';
import { NAMES_MAX, type NamedField, type RowCondition, RowConditions } from '../../common/search/conditions.js';
import { isTrimmed, tagForm } from '../../common/search/texts.js';
import type { Awaitable } from '../../common/sql.js';
import { likeText, type PostgresSql } from '../statements/sql.js';

export interface PostgresCondition extends RowCondition {
  sql: string;
}

const exact = (sql: string, ...values: unknown[]): PostgresCondition => ({ sql, values, isExact: true });
const superset = (sql: string, ...values: unknown[]): PostgresCondition => ({ sql, values, isExact: false });

/** SQL for whether another table has a row of the email. */
const has = (table: string, where = 'true') =>
  `EXISTS (SELECT 1 FROM ${table} WHERE email_seq = emails.seq AND ${where})`;

const failed = (where: string) => has('recipients', `status IN ('bounced', 'complained', 'dropped') AND ${where}`);

/** Conditions of queries. PostgreSQL decides which of them it reads from an index. */
export class PostgresConditions extends RowConditions<PostgresCondition> {
  readonly #names;
  protected override readonly words = {
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
  protected override readonly exact = exact;
  protected override readonly superset = superset;

  constructor(sql: PostgresSql) {
    super();
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

  protected override not({ sql, values }: PostgresCondition): PostgresCondition {
    return exact(`NOT (${sql})`, ...values);
  }

  protected override joined(kind: 'and' | 'or', terms: readonly PostgresCondition[], isExact: boolean) {
    const sql = `(${terms.map((term) => term.sql).join(kind === 'and' ? ' AND ' : ' OR ')})`;
    return { sql, values: terms.flatMap(({ values }) => values), isExact };
  }

  protected override status(status: string): PostgresCondition {
    return exact('status = ?', status);
  }

  protected override event(type: string): PostgresCondition {
    return exact('EXISTS (SELECT 1 FROM events WHERE email_id = emails.id AND type = ?)', type);
  }

  protected override larger(bytes: number): PostgresCondition {
    return exact('size > ?', bytes);
  }

  protected override tag(pattern: Pattern): PostgresCondition | undefined {
    if (pattern.kind !== 'contains' && pattern.kind !== 'glob') return undefined;
    const ofForm = (condition: string) => has('tags', `tag IN (SELECT tag FROM tag_forms WHERE ${condition})`);
    const condition =
      pattern.kind === 'contains'
        ? exact(ofForm('form = ?'), tagForm(pattern.text))
        : exact(ofForm('form LIKE ?'), pattern.parts.map((part) => likeText(searchForm(part))).join('%'));
    return { ...condition, isExact: isTrimmed(pattern) };
  }

  protected override named(field: NamedField, names: readonly string[]): PostgresCondition {
    return superset(`${field === 'template' ? 'template_id' : field} = ANY(?)`, names);
  }

  protected override namesOf(field: NamedField): Awaitable<string[]> {
    return this.#names[field].values<string>();
  }

  protected override toMailbox(mailbox: string): PostgresCondition {
    return superset(has('recipients', 'mailbox = ?'), mailbox);
  }

  protected override withId(...ids: [string, string]): PostgresCondition {
    return superset('id IN (?, ?)', ...ids);
  }
}
