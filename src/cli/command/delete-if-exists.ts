import type { Client } from '../../client/client.js';
import { ApiFailure } from '../../client/failures.js';
import { NotFoundError } from '../errors/exit-codes.js';

const NOT_FOUND: ReadonlySet<string> = new Set(['not_found', 'template_not_found']);

/**
 * Runs a deletion. Returns whether something was deleted: with --if-exists, what does not exist is no error. `client` is
 * the one that `remove` calls the service with, if it does.
 * @throws as `remove` does; also with --if-exists if the address is not that of the service.
 */
export async function deleteIfExists(
  flags: { 'if-exists': boolean },
  remove: () => Promise<unknown>,
  client?: Client,
): Promise<boolean> {
  try {
    await remove();
    return true;
  } catch (error) {
    if (!flags['if-exists']) throw error;
    if (error instanceof NotFoundError) return false;
    if (!(error instanceof ApiFailure) || !NOT_FOUND.has(error.code)) throw error;
    if (client) await checkAddress(client, error);
    return false;
  }
}

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
