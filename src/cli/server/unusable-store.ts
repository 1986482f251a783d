import { CommandError } from '../errors/exit-codes.js';

const OTHER_DATA_DIR = 'Choose another data directory with --data-dir or SVC_DATA_DIR';

/**
 * Returns the error of a command that cannot open the database, with the advice of the storage if it has any.
 * `alternative` completes the general advice.
 */
export function unusableStore(error: Error & { advice?: string | undefined }, alternative = ''): CommandError {
  return new CommandError(error.message, error.advice ?? `${OTHER_DATA_DIR}${alternative}.`);
}
