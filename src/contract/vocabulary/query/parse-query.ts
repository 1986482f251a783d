import { utf8Length } from '../helpers/utf8-length.js';
import { conditionOf } from './conditions.js';
import { QUERY_BYTES, QUERY_CONDITIONS, QUERY_DEPTH } from './fields.js';
import type { Query } from './query.js';
import { placeIn, QueryError } from './query-error.js';
import { type Token, Tokenizer } from './tokens.js';

/**
 * Parses a query. An empty one matches every email. A space binds more closely than `OR`: `a b OR c` is `(a b) OR c`.
 * @throws QueryError with the position of the problem.
 */
export function parseQuery(text: string): Query {
  if (text.length > QUERY_BYTES || utf8Length(text) > QUERY_BYTES) {
    throw new QueryError(placeIn(text, 0), 'query is too long', `at most ${QUERY_BYTES} bytes in UTF-8`);
  }
  return new Parser(text).parse();
}

class Parser {
  readonly #tokens: Tokenizer;
  #token: Token;
  #conditions = 0;

  constructor(private readonly text: string) {
    this.#tokens = new Tokenizer(text);
    this.#token = this.#tokens.next();
  }

  parse(): Query {
    if (this.#token.kind === 'end') return { kind: 'and', terms: [] };
    const query = this.#alternatives(0);
    const { kind, position } = this.#token;
    if (kind !== ')') return query;
    throw this.#error(position, 'unexpected )', 'a condition or the end', PARENTHESIS_HINT);
  }

  #alternatives(depth: number): Query {
    const terms = [this.#conjunction(depth)];
    while (this.#token.kind === 'OR') {
      this.#advance();
      terms.push(this.#conjunction(depth));
    }
    return joined('or', terms);
  }

  #conjunction(depth: number): Query {
    const terms = [this.#negatable(depth)];
    for (;;) {
      const { kind } = this.#token;
      if (kind === 'end' || kind === ')' || kind === 'OR') return joined('and', terms);
      if (kind === 'AND') this.#advance();
      terms.push(this.#negatable(depth));
    }
  }

  #negatable(depth: number): Query {
    const { kind, position } = this.#token;
    if (kind !== '-') return this.#operand(depth);
    const next = this.#advance();
    if (next.position === position + 1 && (next.kind === 'term' || next.kind === '(')) {
      return { kind: 'not', term: this.#operand(depth) };
    }
    throw this.#error(position + 1, 'missing condition', 'a condition directly after -', DASH_HINT);
  }

  #operand(depth: number): Query {
    const token = this.#token;
    if (token.kind === 'term') {
      this.#conditions += 1;
      if (this.#conditions > QUERY_CONDITIONS) {
        throw this.#error(token.position, 'too many conditions', `at most ${QUERY_CONDITIONS}`);
      }
      this.#advance();
      return conditionOf(this.text, token);
    }
    if (token.kind === '(') return this.#group(token.position, depth + 1);
    const found = token.kind === 'end' || token.kind === '-' ? '' : ` before ${token.kind}`;
    const hint = token.kind === 'OR' || token.kind === 'AND' ? OPERATOR_HINT : undefined;
    throw this.#error(token.position, `missing condition${found}`, 'a condition', hint);
  }

  #group(opening: number, depth: number): Query {
    if (depth > QUERY_DEPTH) throw this.#error(opening, 'too many parentheses', `at most ${QUERY_DEPTH} levels`);
    this.#advance();
    const query = this.#alternatives(depth);
    if (this.#token.kind !== ')') {
      throw this.#error(opening, 'parenthesis is not closed', 'a ) after it', PARENTHESIS_HINT);
    }
    this.#advance();
    return query;
  }

  #advance(): Token {
    this.#token = this.#tokens.next();
    return this.#token;
  }

  #error(position: number, problem: string, expected: string, hint?: string): QueryError {
    return new QueryError(placeIn(this.text, position), problem, expected, hint);
  }
}

/** Merges nested terms of the same kind, so that each condition that must hold is a term of the outermost `and`. */
function joined(kind: 'and' | 'or', terms: Query[]): Query {
  const [only] = terms;
  if (only && terms.length === 1) return only;
  return { kind, terms: terms.flatMap((term) => (term.kind === kind ? term.terms : [term])) };
}

const PARENTHESIS_HINT = 'To search for a parenthesis, quote it.';
const DASH_HINT = 'To search for a dash, quote it: "-".';
const OPERATOR_HINT = 'To search for the word itself, quote it.';
