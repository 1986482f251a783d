import { ApiFailure } from '../../client/failures.js';
import { NotFoundError } from '../errors/exit-codes.js';

const NOT_FOUND: ReadonlySet<string> = new Set(['not_found', 'template_not_found']);

/**
 * Runs a deletion. Returns whether something was deleted: with --if-exists, what does not exist is no error.
 * @throws as `remove` does.
 */
export async function deleteIfExists(
  flags: { 'if-exists': boolean },
  remove: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await remove();
    return true;
  } catch (error) {
    const isMissing = error instanceof NotFoundError || (error instanceof ApiFailure && NOT_FOUND.has(error.code));
    if (flags['if-exists'] && isMissing) return false;
    throw error;
  }
}
