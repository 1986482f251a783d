import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pjson from '../../../package.json' with { type: 'json' };

/** Reads oclif's manifest of every command, because loading oclif or the commands would take too long. */

export interface FlagEntry {
  name: string;
  type: 'boolean' | 'option';
  char?: string;
  description?: string;
  helpValue?: string;
  helpGroup?: string;
  options?: string[];
  multiple?: boolean;
  allowNo?: boolean;
  hidden?: boolean;
  aliases?: string[];
  exclusive?: string[];
}

export interface ArgEntry {
  name: string;
  description?: string;
  options?: string[];
  required?: boolean;
}

export interface CommandEntry {
  /** The words of the command, joined by colons. */
  id: string;
  summary?: string;
  hidden?: boolean;
  args: Record<string, ArgEntry>;
  flags: Record<string, FlagEntry>;
}

export interface Manifest {
  commands: Record<string, CommandEntry>;
  /** Description of each topic. The keys are its words, joined by colons. */
  topics: Record<string, string>;
}

/** Returns the directory of the package that the command line at `binary` belongs to. */
export function packageRoot(binary: string): string {
  return join(dirname(binary), '..');
}

/** @throws Error when the package was not built. */
export function readManifest(root: string): Manifest {
  const { commands } = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8')) as Pick<
    Manifest,
    'commands'
  >;
  const topics = Object.entries(pjson.oclif.topics).map(([name, { description }]) => [name, description]);
  return { commands, topics: Object.fromEntries(topics) };
}

/** Returns the words that can follow `path`, each with a description: the commands and topics directly below it. */
export function childrenOf({ commands, topics }: Manifest, path: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const command of Object.values(commands)) {
    const words = command.id.split(':');
    const word = words[path.length];
    if (command.hidden || word === undefined || path.some((each, index) => each !== words[index])) continue;
    const id = [...path, word].join(':');
    found.set(word, topics[id] ?? commands[id]?.summary ?? '');
  }
  return found;
}
