import type { Client } from '../client/client.js';
import { nearestName } from '../contract/nearest-name.js';
import { listedNames } from './completion/listed-names.js';
import { isNameKind } from './completion/names.js';
import { argumentKind, flagKind } from './completion/value-kinds.js';

/** A slip of the hand; ids of one moment differ by little more, so nothing further away is guessed at. */
const EDITS = 2;
/** How much of an id tells it from others: beyond its prefix and what all of one day have in common. */
const PREFIX_CHARACTERS = 8;

interface KnownCommand {
  id: string;
  /** Names of its arguments, and of its flags. */
  args: readonly string[];
  flags: readonly string[];
}

/** The hint for a command line whose id or name the server does not know; undefined when it lists nothing near. */
export async function nearestHeld(
  command: KnownCommand,
  argv: readonly string[],
  client: Client,
): Promise<string | undefined> {
  const kinds = new Set([
    ...command.args.map((name) => argumentKind(command, { name })),
    ...command.flags.map((name) => flagKind(command, { name })),
  ]);
  for (const kind of [...kinds].filter(isNameKind)) {
    // What cannot be listed, nobody needs to know of here: the command has an error of its own.
    const names = (await listedNames(client, kind).catch(() => [])).map(({ name }) => name);
    for (const typed of argv) {
      const near = nearestName(typed, names, EDITS) ?? onlyOneWith(typed, names);
      if (near !== undefined && near !== typed) return `Did you mean ${near}?`;
    }
  }
  return undefined;
}

function onlyOneWith(start: string, names: readonly string[]): string | undefined {
  const [found, ...others] = start.length < PREFIX_CHARACTERS ? [] : names.filter((name) => name.startsWith(start));
  return others.length === 0 ? found : undefined;
}
