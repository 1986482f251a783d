import { nearestName } from '../nearest-name.js';
import { shortened } from '../text.js';
import { type FieldName, fieldNames, fieldOfWord, formOf } from './fields.js';

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

/** Describes unknown fields and words, and what the user may have meant. */

/** Fields of other mail searches. */
const synonyms: Record<string, FieldName> = {
  sender: 'from',
  addressed: 'to',
  body: 'text',
  html: 'text',
  title: 'subject',
  label: 'tag',
  filename: 'attachment',
  since: 'after',
  newer: 'after',
  'newer-than': 'after',
  older: 'before',
  'older-than': 'before',
  until: 'before',
  bigger: 'larger',
  size: 'larger',
  state: 'status',
  msgid: 'message-id',
};

/** `rest` is what follows the colon, up to a space. */
export function unknownField(query: string, position: number, written: string, rest: string): QueryError {
  const name = written.toLowerCase();
  const meant = synonyms[name.replace(/_/g, '-')] ?? nearestName(name, fieldNames);
  const text = `${written}:${rest}`;
  const quote = text.includes('"')
    ? 'To search for the text, quote it.'
    : `To search for the text, quote it: ${quotedPart(text)}.`;
  const hint = meant === undefined ? quote : `Did you mean "${meant}:"? ${quote}`;
  return new QueryError(
    placeIn(query, position),
    `unknown field ${quotedPart(written)}`,
    'a field such as from, to or subject',
    hint,
  );
}

export function unknownWord(query: string, position: number, field: FieldName, written: string): QueryError {
  const words = formOf(field).words ?? [];
  const word = written.toLowerCase();
  const other = fieldOfWord(word);
  const endsWithWord = (known: string) => known.endsWith(`.${word}`);
  const meant = words.find(endsWithWord) ?? nearestName(word, words);
  // Such as dropped, which is an event but not a status of an email.
  const event = formOf('event').words?.find(endsWithWord);
  const [suggested] = [meant && `${field}:${meant}`, other && `${other}:${word}`, event && `event:${event}`].filter(
    Boolean,
  );
  const expected = `one of ${words.join(', ')}`;
  const hint = suggested && `Did you mean "${suggested}"?`;
  return new QueryError(
    placeIn(query, position),
    `unknown value ${quotedPart(written)} of "${field}:"`,
    expected,
    hint || undefined,
  );
}
