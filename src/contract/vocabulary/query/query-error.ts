import { shortened } from '../helpers/shorten.js';

/** Maximum number of characters of a query that a message quotes. */
const QUOTED_CHARACTERS = 60;

/** An invalid query. Commands and the control API show `message` and `hint`. */
export class QueryError extends Error {
  override readonly name = 'QueryError';
  /** Position as people count it: from 1, in characters. */
  readonly column: number;
  /** The problem without its introduction, for the details of an error. */
  readonly detail: string;

  /**
   * `position` counts from 0, in UTF-16 code units. `problem` and `expected` are parts of the message: `unknown field
   * "form" at column 1, expected a field such as from`.
   */
  constructor(
    query: string,
    readonly position: number,
    problem: string,
    readonly expected: string,
    readonly hint?: string,
  ) {
    const column = [...query.slice(0, position)].length + 1;
    const detail = `${problem} at column ${column}, expected ${expected}`;
    super(`Invalid query: ${detail}.`);
    this.column = column;
    this.detail = detail;
  }
}

/** Quotes a part of a query for a message. Escapes control characters. */
export function quotedPart(text: string): string {
  return JSON.stringify(shortened(text, QUOTED_CHARACTERS));
}
