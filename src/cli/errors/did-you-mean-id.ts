import type { Client } from '../../client/client.js';
import { nearestName } from '../../contract/vocabulary/helpers/nearest-name.js';
import { namesFromApi } from '../completion/api-names.js';
import { isNameKind, type NameKind } from '../completion/names.js';
import { argumentKind, flagKind } from '../completion/value-kinds.js';
import { nearestId } from './nearest-id.js';

/** The maximum number of wrong letters in a name. */
const EDITS = 2;
/** Kinds of resources that a user names. All others have an id. */
const NAMED: ReadonlySet<NameKind> = new Set(['template', 'domain', 'suppression']);

/** What the ID is of, and the command that shows it, by the ID's prefix. */
const OWNERS: Record<string, [kind: NameKind, noun: string, command: string]> = {
  msg: ['email', 'an email', 'emails get'],
  tpl: ['template', 'a template', 'templates get'],
  key: ['api-key', 'an API key', 'api-keys list'],
  whk: ['webhook', 'a webhook', 'webhooks list'],
  dlv: ['delivery', 'a delivery', 'webhooks deliveries'],
};

interface KnownCommand {
  id: string;
  /** Names of the arguments and flags of the command. */
  args: readonly string[];
  flags: readonly string[];
}

/**
 * Returns the hint for an unknown id or name on a command line; undefined when the server has no similar one. `next`
 * returns the command line of a command; without it, no command is suggested.
 */
export async function suggestId(
  command: KnownCommand,
  argv: readonly string[],
  client: Client,
  next?: (command: string) => string,
): Promise<string | undefined> {
  const kinds = new Set([
    ...command.args.map((name) => argumentKind(command, { name })),
    ...command.flags.map((name) => flagKind(command, { name })),
  ]);
  const ofAnother = next && ofAnotherKind(kinds, argv, next);
  if (ofAnother !== undefined) return ofAnother;
  const destroys = command.flags.includes('yes');
  for (const kind of [...kinds].filter(isNameKind)) {
    // Ids are hard to tell apart, so a similar one is not suggested to a command that deletes it.
    if (destroys && !NAMED.has(kind)) continue;
    // A failed request is ignored: the command already reports an error.
    const names = (await namesFromApi(client, kind).catch(() => [])).map(({ name }) => name);
    for (const typed of argv) {
      const near = NAMED.has(kind) ? nearestName(typed, names, EDITS) : nearestId(typed, names);
      if (near !== undefined && near !== typed) return `Did you mean ${near}?`;
    }
  }
  return undefined;
}

/** Returns the hint for an ID of a kind that the command does not take; undefined without one. */
function ofAnotherKind(
  kinds: ReadonlySet<string | undefined>,
  argv: readonly string[],
  next: (command: string) => string,
): string | undefined {
  for (const typed of argv) {
    const [kind, noun, shows = ''] = OWNERS[/^([a-z]{3})_[0-9a-hjkmnp-tv-z]{26}$/.exec(typed)?.[1] ?? ''] ?? [];
    if (kind === undefined || kinds.has(kind) || (kind === 'email' && kinds.has('scheduled-email'))) continue;
    return `${typed} is the ID of ${noun}. Run "${next(shows.endsWith(' list') ? shows : `${shows} ${typed}`)}".`;
  }
  return undefined;
}
