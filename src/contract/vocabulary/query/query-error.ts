import { shortened } from '../helpers/shorten.js';

/** Maximum number of characters of a query that a message quotes. */
const QUOTED_CHARACTERS = 60;

/** An invalid query. Commands and the control API show `message` and `hint`. */
export class QueryError extends Error {
  override readonly name = 'QueryError';
  /** From 0, in UTF-16 code units. */
  readonly position: number;
  /** Position as people count it: from 1, in characters. */
  readonly column: number;
  /** The problem without its introduction, for the details of an error. */
  readonly detail: string;

  /** `problem` and `expected` are parts of a sentence: `unknown field "x" at column 1, expected a field such as …`. */
  constructor(
    at: { position: number; column: number },
    problem: string,
    readonly expected: string,
    readonly hint?: string,
  ) {
    const detail = `${problem} at column ${at.column}, expected ${expected}`;
    super(`Invalid query: ${detail}.`);
    this.position = at.position;
    this.column = at.column;
    this.detail = detail;
  }
}

/** Returns a position in a query, also as people count it. */
export function placeIn(query: string, position: number): { position: number; column: number } {
  return { position, column: [...query.slice(0, position)].length + 1 };
}

/** Returns the position of a part of a condition. `offset` is from the start of the condition. */
export function placeWithin(
  { source, position, column }: { source: string; position: number; column: number },
  offset: number,
): { position: number; column: number } {
  return { position: position + offset, column: column + [...source.slice(0, offset)].length };
}

/** Quotes a part of a query for a message. Escapes control characters. */
export function quotedPart(text: string): string {
  return JSON.stringify(shortened(text, QUOTED_CHARACTERS));
}
