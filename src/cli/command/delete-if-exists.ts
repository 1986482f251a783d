import { type Client, EARLIER_ATTEMPT } from '../../client/client.js';
import { ApiFailure } from '../../client/failures.js';
import { NotFoundError } from '../errors/exit-codes.js';

const NOT_FOUND: ReadonlySet<string> = new Set(['not_found', 'template_not_found']);

interface Options {
  /** The client that `remove` calls the service with, if it does. */
  client?: Client;
  /** Called with what is not known about a deletion that succeeded. */
  warn?: (text: string) => void;
}

/**
 * Runs a deletion. Returns whether something was deleted: with --if-exists, a missing resource does not fail. After an
 * attempt whose answer was lost, what does not exist counts as deleted.
 * @throws as `remove` does; also with --if-exists if the address is not that of the service.
 */
export async function deleteIfExists(
  flags: { 'if-exists': boolean },
  remove: () => Promise<unknown>,
  { client, warn }: Options = {},
): Promise<boolean> {
  try {
    await remove();
    return true;
  } catch (error) {
    if (error instanceof NotFoundError && flags['if-exists']) return false;
    if (!(error instanceof ApiFailure) || !NOT_FOUND.has(error.code)) throw error;
    const isUncertain = warn !== undefined && error.hint === EARLIER_ATTEMPT;
    if (!isUncertain && !flags['if-exists']) throw error;
    if (client) await checkAddress(client, error);
    if (isUncertain) warn(UNCERTAIN);
    return isUncertain;
  }
}

const UNCERTAIN = 'The resource does not exist: an earlier attempt deleted it, or it never existed.';

/**
 * Calls an endpoint that every service has, because a wrong address answers with the same code as a missing resource.
 * @throws `notFound` if it is not found either.
 */
async function checkAddress(client: Client, notFound: ApiFailure): Promise<void> {
  try {
    await client.call('domains.list', {});
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    // Another error comes from an endpoint that exists, such as for a key that may not list domains.
    if (error.status !== notFound.status) return;
    throw notFound.withHint('GET /domains was not found either, so the base URL is probably wrong.');
  }
}
