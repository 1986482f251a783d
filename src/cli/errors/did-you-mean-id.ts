import type { Client } from '../../client/client.js';
import { nearestName } from '../../contract/vocabulary/nearest-name.js';
import { isNameKind, type NameKind, namesFromApi } from '../manifest/names.js';
import { argumentKind, flagKind } from '../manifest/value-kinds.js';
import { SUFFIX_CHARACTERS } from '../output/table.js';

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

/** Minimum length of a typed beginning of an id: the prefix, and the characters that ids of the same day share. */
const PREFIX_CHARACTERS = 8;
/** Ids of the same millisecond are consecutive numbers, so only their last characters differ. */
const COUNTED_CHARACTERS = 4;
/** The form of a ULID. The letters i, l, o and u are not used. */
const ULID = /^[a-z]+_[0-9a-hjkmnp-tv-z]+$/;

/** Returns the id that a mistyped one was meant to be; undefined when no id, or more than one, is possible. */
function nearestId(typed: string, ids: readonly string[]): string | undefined {
  if (ids.includes(typed)) return undefined;
  const [found, ...others] = ids.filter((id) => isSlip(typed, id));
  return others.length === 0 ? found : undefined;
}

function isSlip(typed: string, id: string): boolean {
  const letters = typed.toLowerCase();
  if (letters === id.toLowerCase()) return true;
  if (typed.length >= PREFIX_CHARACTERS && id.startsWith(typed)) return true;
  if (typed.length >= SUFFIX_CHARACTERS && id.endsWith(letters)) return true;
  // One character added, removed, replaced, or swapped with its neighbour.
  if (nearestName(typed, [id], 1) === undefined) return false;
  return mayBeAnother(letters, id) ? isSwapped(letters, id) : true;
}

/** Returns whether the text has the form of an id. It may then be a deleted one, or one of another server. */
function mayBeAnother(letters: string, id: string): boolean {
  return letters.length === id.length && (ULID.test(letters) || !ULID.test(id));
}

/** Returns whether only two adjacent characters are swapped, before the consecutive number. */
function isSwapped(letters: string, id: string): boolean {
  const sameLetters = [...letters].sort().join('') === [...id].sort().join('');
  return sameLetters && letters.slice(-COUNTED_CHARACTERS) === id.slice(-COUNTED_CHARACTERS);
}
