import { invalidField } from '../../contract/vocabulary/errors.js';
import { parseQuery } from '../../contract/vocabulary/query/parse-query.js';
import { QueryError } from '../../contract/vocabulary/query/query-error.js';
import { type CompiledQuery, compileQuery } from './compile-query.js';

/**
 * Compiles the text of a query in a field of a request.
 * @throws ServiceError that names the field and the position of the problem.
 */
export async function compileText(field: string, text: string, now: number): Promise<CompiledQuery> {
  try {
    return await compileQuery(parseQuery(text), { now });
  } catch (error) {
    throw error instanceof QueryError ? invalidField(field, error.detail) : error;
  }
}
