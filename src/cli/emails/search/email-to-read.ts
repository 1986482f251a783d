import type { Client } from '../../../client/client.js';
import { requireControl } from '../../command/control-command.js';
import { nextCommand } from '../../command/next-command.js';
import { idToRead, LATEST } from '../../command/resource-id.js';
import { NotFoundError, UsageError } from '../../errors/exit-codes.js';
import type { TargetFlags } from '../../flags/target.js';
import { checkQuery } from '../../flags/values/query.js';
import { quoted, shellQuote } from '../../output/text.js';
import type { Target } from '../../target/target.js';
import { searchFlag } from '../query-flags.js';
import { searchPage } from './search-emails.js';

/** Finds the email that a command reads: by its ID, or as the newest match of a query. */

export const newestMatchFlag = { search: searchFlag('Query that selects the newest matching email, instead of ID.') };

type EmailFlags = TargetFlags & { search?: string | undefined };

/** Checks the argument and the flag before anything is read. @throws UsageError unless exactly one of them is given. */
export async function checkEmailChoice(id: string | undefined, { search }: EmailFlags): Promise<void> {
  if (search !== undefined) {
    if (id !== undefined && id !== LATEST) throw new UsageError('--search cannot be combined with ID.');
    return checkQuery('--search', search);
  }
  if (id === undefined) throw new UsageError('Missing required argument ID.', 'Pass an ID, latest, or --search QUERY.');
}

/** Returns the ID of the email. @throws NotFoundError if no email matches; else as `idToRead` does. */
export async function emailToRead(
  client: Client,
  target: Target,
  id: string | undefined,
  flags: EmailFlags,
): Promise<string> {
  const { search } = flags;
  if (search === undefined) return idToRead(client, 'email', id ?? LATEST, flags);
  await requireControl(target, '--search');
  const [newest] = (await searchPage(client, search, { limit: 1, offset: 0 })).emails;
  if (newest) return newest.id;
  const list = nextCommand(`emails list --search ${shellQuote(search)}`, flags);
  throw new NotFoundError(`No email matches ${quoted(search)}.`, `To try a query, run: ${list}`);
}
