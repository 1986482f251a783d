import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/cli/binary.js';

/** Reads the commands from oclif's manifest, which the build writes. */

export interface CommandOf {
  id: string;
  strict?: boolean;
  args: Record<string, { required?: boolean }>;
  flags: Record<string, { required?: boolean; hidden?: boolean }>;
  /** What it requires to work. */
  needs?: string;
}

/** Returns the commands by name as typed: `emails list`. */
export function readCommands(): Map<string, CommandOf> {
  const { commands } = JSON.parse(readFileSync(join(ROOT, 'oclif.manifest.json'), 'utf8')) as {
    commands: Record<string, CommandOf>;
  };
  return new Map(Object.values(commands).map((command) => [command.id.replaceAll(':', ' '), command]));
}

/** Returns whether the command line without any argument is incomplete. */
export function needsArguments({ args, flags }: CommandOf): boolean {
  return [...Object.values(args), ...Object.values(flags)].some(({ required }) => required === true);
}

/** Returns whether it accepts no more arguments than it names. */
export function isStrict({ strict }: CommandOf): boolean {
  return strict !== false;
}
