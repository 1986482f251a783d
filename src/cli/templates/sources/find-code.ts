import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { textPosition } from '../../../contract/vocabulary/text.js';
import { UsageError } from '../../errors/exit-codes.js';
import { keyIndex } from '../../flags/values/json-input.js';
import { readSmallFile } from '../../process/files.js';

/** Finds the source that a template has instead of body.html. It is code, or a compiler that is code reads it. */

export interface TemplateCode {
  kind: 'mjml' | 'react' | 'command';
  /** The path of the source, or of template.json, which has the command. */
  file: string;
  /** The program and its arguments; empty for another kind. */
  command: readonly string[];
  /** The line of the command in template.json. */
  line: number;
}

const MANIFEST = 'template.json';
const HTML = 'body.html';
/** Files with a source, and what compiles them. */
export const SOURCE_FILES = { 'body.mjml': 'mjml', 'body.tsx': 'react', 'body.jsx': 'react' } as const;

/**
 * Returns the source of a template; undefined if it has body.html. `manifest` is the text of template.json, `command`
 * its field of that name. @throws UsageError if the field is invalid, or the template has two sources.
 */
export function codeOf(directory: string, manifest: string, command: unknown): TemplateCode | undefined {
  const file = join(directory, MANIFEST);
  if (command !== undefined && !isCommand(command)) {
    throw new UsageError(
      `${file}: command must be a list of strings: a program and its arguments.`,
      'For example: "command": ["node", "build.js"].',
    );
  }
  const found = Object.entries(SOURCE_FILES).filter(([name]) => existsSync(join(directory, name)));
  const sources = [existsSync(join(directory, HTML)) && HTML, ...found.map(([name]) => name), command && 'a command'];
  const given = sources.filter((each) => typeof each === 'string');
  if (given.length > 1) {
    throw new UsageError(`${directory} has ${given.join(' and ')}.`, 'Keep one of them: a template has one source.');
  }
  const [source] = found;
  if (source) return { kind: source[1], file: join(directory, source[0]), command: [], line: 1 };
  if (command === undefined) return undefined;
  return { kind: 'command', file, command, line: textPosition(manifest, keyIndex(manifest, 'command')).line };
}

/** Returns the sources of a template, or of all templates in a directory. One that cannot be read has none. */
export function codeIn(folder: string): TemplateCode[] {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const directories = [folder, ...names.map(({ name }) => join(folder, name)).sort()];
  return directories.flatMap((directory) => {
    try {
      const manifest = readSmallFile(join(directory, MANIFEST));
      return codeOf(directory, manifest, (JSON.parse(manifest) as { command?: unknown }).command) ?? [];
    } catch {
      return [];
    }
  });
}

function isCommand(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string' && part !== '');
}
