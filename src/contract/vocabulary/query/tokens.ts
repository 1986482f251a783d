import { type FieldName, isFieldName } from './fields.js';
import { placeIn, QueryError, quotedPart, unknownField } from './query-error.js';

/** Splits a query into tokens, each in one pass over its characters. */

/** A value as written. `parts` are the literal texts between unquoted `*`. */
export type Value =
  | { kind: 'text'; position: number; parts: string[] }
  | { kind: 'regex'; position: number; source: string; ignoreCase: boolean };

export interface Term {
  kind: 'term';
  position: number;
  source: string;
  field: FieldName | 'any';
  /** The name of `header:NAME=VALUE`. */
  header?: string | undefined;
  /** Undefined for `header:NAME`. */
  value?: Value | undefined;
}

export type Token = { kind: '(' | ')' | '-' | 'OR' | 'AND' | 'end'; position: number } | Term;

const SPACE = /\s+/y;
const FIELD = /([a-z][a-z_-]*):/iy;
/** The name of a header field: RFC 9110's token, which is narrower than RFC 5322's names. */
const HEADER_NAME = /[!#$%&'*+.^_`|~0-9a-z-]+/iy;
const OPERATOR = /(?:OR|AND|NOT)(?=[\s()]|$)/y;
/** Characters of an unquoted value that have no meaning. */
const PLAIN = /[^\s()"*]+/y;
/** Characters of a quoted value up to an escape or the end. */
const QUOTED = /[^"\\]+/y;
const REGEX = /(?:[^\\/]|\\[\s\S])+/y;

export class Tokenizer {
  #at = 0;

  constructor(private readonly query: string) {}

  next(): Token {
    this.#match(SPACE);
    const position = this.#at;
    const first = this.query[position];
    if (first === undefined) return { kind: 'end', position };
    if (first === '(' || first === ')' || first === '-') {
      this.#at += 1;
      return { kind: first, position };
    }
    const operator = this.#match(OPERATOR)?.[0];
    if (operator === 'OR' || operator === 'AND') return { kind: operator, position };
    if (operator === 'NOT') throw this.#error(position, 'unknown operator NOT', 'a condition', NOT_HINT);
    return this.#term(position);
  }

  #term(position: number): Term {
    const field = this.#field(position);
    const header = field === 'header' ? this.#header() : undefined;
    const hasValue = header === undefined || this.#skip('=');
    const value = hasValue ? this.#value(field) : undefined;
    return { kind: 'term', position, source: this.query.slice(position, this.#at), field, header, value };
  }

  #field(position: number): FieldName | 'any' {
    const written = this.#match(FIELD)?.[1];
    if (written === undefined) return 'any';
    const name = written.toLowerCase();
    if (isFieldName(name)) return name;
    if (!this.query.startsWith('//', this.#at)) throw unknownField(this.query, position, written, this.#word());
    // The scheme of a URL.
    this.#at = position;
    return 'any';
  }

  #header(): string {
    const name = this.#match(HEADER_NAME)?.[0];
    if (name !== undefined) return name;
    throw this.#error(this.#at, 'missing header name', 'the name of a header field', HEADER_HINT);
  }

  #value(field: string): Value {
    const position = this.#at;
    if (this.query[position] === '/') return this.#regex(position);
    const parts = [''];
    for (;;) {
      const plain = this.#match(PLAIN)?.[0];
      if (plain !== undefined) parts.push(`${parts.pop()}${plain}`);
      else if (this.#skip('*')) parts.push('');
      else if (this.query[this.#at] === '"') parts.push(`${parts.pop()}${this.#quoted()}`);
      else break;
    }
    if (this.#at > position && this.query[this.#at] === '(') {
      throw this.#error(
        this.#at,
        'parenthesis within a value',
        'a space',
        'To search for a parenthesis, quote the text.',
      );
    }
    const after = field === 'any' ? undefined : `directly after "${field}:"`;
    if (parts.length > 1 || parts[0] !== '') return { kind: 'text', position, parts };
    const problem = this.#at > position ? 'empty value' : 'missing value';
    throw this.#error(position, problem, ['a value', after].filter(Boolean).join(' '));
  }

  /** Reads a quoted text, in which `\"` and `\\` are escapes. */
  #quoted(): string {
    const opening = this.#at;
    this.#at += 1;
    let text = '';
    for (;;) {
      text += this.#match(QUOTED)?.[0] ?? '';
      if (this.#skip('"')) return text;
      const backslash = this.#at;
      if (!this.#skip('\\')) throw this.#error(opening, 'quote is not closed', 'a closing " after it', QUOTE_HINT);
      const escaped = this.query[this.#at] ?? '';
      if (escaped !== '"' && escaped !== '\\') {
        throw this.#error(backslash, 'unknown escape', '\\" or \\\\', 'In quotes, write a backslash as \\\\.');
      }
      this.#at += 1;
      text += escaped;
    }
  }

  #regex(position: number): Value {
    this.#at += 1;
    const source = this.#match(REGEX)?.[0];
    if (!this.#skip('/')) {
      throw this.#error(position, 'regular expression is not closed', 'a closing / after it', SLASH_HINT);
    }
    if (source === undefined) {
      throw this.#error(position, 'empty regular expression', 'a pattern between the slashes', SLASH_HINT);
    }
    const flags = this.#at;
    const ignoreCase = this.#skip('i');
    const word = this.#word();
    if (word !== '') {
      const problem = `unexpected ${quotedPart(word)} after a regular expression`;
      throw this.#error(flags + (ignoreCase ? 1 : 0), problem, 'the flag i or a space', SLASH_HINT);
    }
    return { kind: 'regex', position, source: source.replace(/\\\//g, '/'), ignoreCase };
  }

  /** Reads up to the next space or parenthesis. */
  #word(): string {
    return this.#match(/[^\s()]*/y)?.[0] ?? '';
  }

  #skip(character: string): boolean {
    if (this.query[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.query);
    if (found) this.#at = pattern.lastIndex;
    return found;
  }

  #error(position: number, problem: string, expected: string, hint?: string): QueryError {
    return new QueryError(placeIn(this.query, position), problem, expected, hint);
  }
}

const NOT_HINT = 'To negate a condition, write - before it. To search for the word, quote it: "NOT".';
const HEADER_HINT = 'Write header:NAME or header:NAME=VALUE, such as header:List-Id=news. Quote the value only.';
const QUOTE_HINT = 'To search for a quotation mark, write "\\"".';
const SLASH_HINT = 'To search for text that starts with a slash, quote it. In a regular expression, write / as \\/.';
