import { isWholeAddress, normalizeAddress } from '../../../contract/vocabulary/addresses.js';
import type { Condition, Pattern, Query } from '../../../contract/vocabulary/query/query.js';
import { searchForm } from '../../../contract/vocabulary/text.js';
import type { Awaitable } from '../sql.js';

/** An SQL condition on a row of `emails`. It is true for every email that matches. */
export interface RowCondition {
  values: unknown[];
  /** Whether it is true for no other email. */
  isExact: boolean;
}

/** The fields whose patterns are about names, of which an engine finds those that match. */
export type NamedField = 'workspace' | 'template';

/** Maximum number of names that one pattern finds. */
export const NAMES_MAX = 10_000;

/** Translates queries to SQL conditions. An engine knows its indexes and how it combines conditions. */
export abstract class RowConditions<C extends RowCondition> {
  /** The conditions of `is:` and `has:`, by field and word. */
  protected abstract readonly words: Readonly<Record<string, C>>;

  /** Returns a condition that is true for the emails that match, and no others. */
  protected abstract exact(sql: string, ...values: unknown[]): C;

  /** Returns a condition that may be true for others, too. */
  protected abstract superset(sql: string, ...values: unknown[]): C;

  protected abstract not(term: C): C;

  /** Combines terms that are not empty. */
  protected abstract joined(kind: 'and' | 'or', terms: readonly C[], isExact: boolean): C;

  protected abstract status(status: string): C;

  protected abstract event(type: string): C;

  protected abstract larger(bytes: number): C;

  /** Returns the condition of a tag; undefined if SQL cannot narrow the pattern. */
  protected abstract tag(pattern: Pattern): C | undefined;

  /** Returns the condition that the workspace or the template has one of these names. */
  protected abstract named(field: NamedField, names: readonly string[]): C;

  /** Returns all workspaces or templates: at most one more than `NAMES_MAX`. */
  protected abstract namesOf(field: NamedField): Awaitable<readonly string[]>;

  protected abstract toMailbox(mailbox: string): C;

  protected abstract withId(...ids: [string, string]): C;

  /** Returns the condition of a query; undefined if SQL cannot narrow it. `now` is the time of the search. */
  async of(query: Query, now: number): Promise<C | undefined> {
    if (query.kind === 'condition') return this.#condition(query, now);
    if (query.kind === 'not') {
      const term = await this.of(query.term, now);
      return term?.isExact ? this.not(term) : undefined;
    }
    const terms = await Promise.all(query.terms.map((term) => this.of(term, now)));
    const known = terms.filter((term) => term !== undefined);
    const isComplete = known.length === terms.length;
    if (!isComplete && (query.kind === 'or' || known.length === 0)) return undefined;
    if (known.length === 0) return this.exact(query.kind === 'and' ? 'true' : 'false');
    return this.joined(query.kind, known, isComplete && known.every(({ isExact }) => isExact));
  }

  #condition(condition: Condition, now: number): Awaitable<C | undefined> {
    switch (condition.field) {
      case 'status':
        return this.status(condition.word);
      case 'origin':
        return this.exact('origin = ?', condition.word);
      case 'event':
        return this.event(condition.word);
      case 'is':
      case 'has':
        return this.words[`${condition.field} ${condition.word}`];
      case 'before':
      case 'after': {
        const at = 'at' in condition.time ? condition.time.at : now - condition.time.ago;
        return this.exact(`created_at ${condition.field === 'before' ? '<' : '>='} ?`, Math.ceil(at));
      }
      case 'larger':
        return this.larger(condition.bytes);
      case 'smaller':
        return this.exact('size < ?', condition.bytes);
      case 'header':
        return undefined;
      case 'tag':
        return this.tag(condition.pattern);
      default:
        return condition.pattern.kind === 'contains'
          ? this.#containing(condition.field, condition.pattern.text)
          : undefined;
    }
  }

  #containing(field: string, text: string): Awaitable<C | undefined> {
    switch (field) {
      case 'workspace':
      case 'template':
        return this.#withName(field, text);
      case 'from':
        return isWholeAddress(text) ? this.superset('sender_mailbox = ?', normalizeAddress(text)) : undefined;
      case 'cc':
      case 'bcc':
      case 'recipient':
      case 'dropped':
        return isWholeAddress(text) ? this.toMailbox(normalizeAddress(text)) : undefined;
      case 'id':
        return this.withId(text, searchForm(text));
      default:
        return undefined;
    }
  }

  async #withName(field: NamedField, text: string): Promise<C | undefined> {
    const names = await this.namesOf(field);
    // Too many to compare.
    if (names.length > NAMES_MAX) return undefined;
    const wanted = searchForm(text).trim();
    return this.named(
      field,
      names.filter((name) => searchForm(name).trim() === wanted),
    );
  }
}
