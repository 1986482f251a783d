import { ServiceError } from '../../contract/vocabulary/errors.js';
import { parseQuery } from '../../contract/vocabulary/query/parse-query.js';
import type { Condition, Query } from '../../contract/vocabulary/query/query.js';
import { QueryError } from '../../contract/vocabulary/query/query-error.js';
import type { EmailMatcher, Extent, SearchDocument } from '../model/search.js';
import { conditionTest, type EmailTest, RegularExpressions } from './conditions.js';
import { SearchedEmail } from './searched-email.js';

/** A compiled query. */
export interface CompiledQuery extends EmailMatcher {
  /** What must be found in the content of emails before it tests them. */
  readonly needs: Extent;
  /** Returns whether an email matches; undefined while that depends on content that is not searched yet. */
  decide(document: SearchDocument): boolean | undefined;
  /** The terms that must all match, with their tests. */
  readonly terms: readonly { term: Query; test: EmailTest }[];
}

/**
 * Compiles a query. Regular expressions load their engine.
 * @throws QueryError with the position of an invalid regular expression.
 */
export async function compileQuery(query: Query, { now }: { now: number }): Promise<CompiledQuery> {
  const compiler = new Compiler(now);
  const terms: { term: Query; test: EmailTest }[] = [];
  for (const term of query.kind === 'and' ? query.terms : [query]) {
    terms.push({ term, test: await compiler.test(term) });
  }
  const test = every(terms.map((each) => each.test));
  const { needs } = compiler;
  const decide = (document: SearchDocument) => test(SearchedEmail.of(document));
  return { query, now, needs, terms, decide, matches: (document) => decide(document) === true };
}

class Compiler {
  needs: Extent = 'nothing';
  readonly #expressions = new RegularExpressions();

  constructor(private readonly now: number) {}

  async test(query: Query): Promise<EmailTest> {
    if (query.kind === 'condition') {
      const needs = needsOf(query);
      if (this.needs !== 'all' && needs !== 'nothing') this.needs = needs;
      return conditionTest(query, this.now, this.#expressions);
    }
    if (query.kind === 'not') return negation(await this.test(query.term));
    const tests: EmailTest[] = [];
    for (const term of query.terms) tests.push(await this.test(term));
    return query.kind === 'and' ? every(tests) : some(tests);
  }
}

function needsOf(condition: Condition): Extent {
  if (condition.field === 'has') return condition.word === 'link' || condition.word === 'code' ? 'all' : 'nothing';
  return ['any', 'text', 'header', 'message-id'].includes(condition.field) ? 'shown' : 'nothing';
}

function negation(test: EmailTest): EmailTest {
  return (email) => {
    const result = test(email);
    return result === undefined ? undefined : !result;
  };
}

function every(tests: readonly EmailTest[]): EmailTest {
  return (email) => {
    let all: boolean | undefined = true;
    for (const test of tests) {
      const result = test(email);
      if (result === false) return false;
      if (result === undefined) all = undefined;
    }
    return all;
  };
}

function some(tests: readonly EmailTest[]): EmailTest {
  return (email) => {
    let any: boolean | undefined = false;
    for (const test of tests) {
      const result = test(email);
      if (result === true) return true;
      if (result === undefined) any = undefined;
    }
    return any;
  };
}

/** Where a request has the text of a query. */
export interface QueryField {
  path: string;
  in: 'parameter' | 'body';
}

/**
 * Compiles the text of a query in a request.
 * @throws ServiceError that names the field and the position of the problem.
 */
export async function compileText(field: QueryField, text: string, now: number): Promise<CompiledQuery> {
  try {
    return await compileQuery(parseQuery(text), { now });
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const { path } = field;
    const message = error.detail;
    const failure = field.in === 'body' ? 'invalid' : 'bad_request';
    throw new ServiceError(failure, `${path}: ${message}`, [{ path, message }], error.hint);
  }
}
