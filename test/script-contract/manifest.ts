import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/cli/binary.js';

/** What oclif's manifest, which the build writes, says of the commands. */

export interface CommandOf {
  id: string;
  strict?: boolean;
  args: Record<string, { required?: boolean }>;
  flags: Record<string, { required?: boolean }>;
  /** What there must be for it to work. */
  needs?: string;
}

/** By the command as it is typed: `emails list`. */
export function readCommands(): Map<string, CommandOf> {
  const { commands } = JSON.parse(readFileSync(join(ROOT, 'oclif.manifest.json'), 'utf8')) as {
    commands: Record<string, CommandOf>;
  };
  return new Map(Object.values(commands).map((command) => [command.id.replaceAll(':', ' '), command]));
}

/** Whether the command line without any argument is incomplete. */
export function needsArguments({ args, flags }: CommandOf): boolean {
  return [...Object.values(args), ...Object.values(flags)].some(({ required }) => required === true);
}

/** Whether it takes no more arguments than it names. */
export function isStrict({ strict }: CommandOf): boolean {
  return strict !== false;
}
