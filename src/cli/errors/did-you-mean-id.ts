import type { Client } from '../../client/client.js';
import { nearestName } from '../../contract/vocabulary/helpers/nearest-name.js';
import { namesFromApi } from '../completion/api-names.js';
import { isNameKind, type NameKind } from '../completion/names.js';
import { argumentKind, flagKind } from '../completion/value-kinds.js';
import { nearestId } from './nearest-id.js';

/** Letters that may be wrong in a name. */
const EDITS = 2;
/** What is known by a name that somebody gave it; all else by an id. */
const NAMED: ReadonlySet<NameKind> = new Set(['template', 'domain', 'suppression']);

interface KnownCommand {
  id: string;
  /** Names of its arguments, and of its flags. */
  args: readonly string[];
  flags: readonly string[];
}

/** The hint for a command line whose id or name the server does not know; undefined when it lists nothing near. */
export async function suggestId(
  command: KnownCommand,
  argv: readonly string[],
  client: Client,
): Promise<string | undefined> {
  const kinds = new Set([
    ...command.args.map((name) => argumentKind(command, { name })),
    ...command.flags.map((name) => flagKind(command, { name })),
  ]);
  const destroys = command.flags.includes('yes');
  for (const kind of [...kinds].filter(isNameKind)) {
    // Two ids look alike to whoever answers: what would destroy the wrong one is not put into anybody's hand.
    if (destroys && !NAMED.has(kind)) continue;
    // What cannot be listed, nobody needs to know of here: the command has an error of its own.
    const names = (await namesFromApi(client, kind).catch(() => [])).map(({ name }) => name);
    for (const typed of argv) {
      const near = NAMED.has(kind) ? nearestName(typed, names, EDITS) : nearestId(typed, names);
      if (near !== undefined && near !== typed) return `Did you mean ${near}?`;
    }
  }
  return undefined;
}
