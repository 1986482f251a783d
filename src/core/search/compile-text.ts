import { ServiceError } from '../../contract/vocabulary/errors.js';
import { parseQuery } from '../../contract/vocabulary/query/parse-query.js';
import { QueryError } from '../../contract/vocabulary/query/query-error.js';
import { type CompiledQuery, compileQuery } from './compile-query.js';

/**
 * Compiles the text of a query in a parameter of a request.
 * @throws ServiceError `bad_request` that names the parameter and the position of the problem.
 */
export async function compileText(path: string, text: string, now: number): Promise<CompiledQuery> {
  try {
    return await compileQuery(parseQuery(text), { now });
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const message = error.detail;
    throw new ServiceError('bad_request', `${path}: ${message}`, [{ path, message }], error.hint);
  }
}
