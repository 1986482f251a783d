import { ServiceError } from '../../contract/vocabulary/errors.js';
import { parseQuery } from '../../contract/vocabulary/query/parse-query.js';
import { QueryError } from '../../contract/vocabulary/query/query-error.js';
import { type CompiledQuery, compileQuery } from './compile-query.js';

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
