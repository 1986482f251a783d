import { homedir } from 'node:os';
import { join } from 'node:path';
import { oneLine } from '../output/text.js';
import { LOCAL_PROFILE, readProfiles } from '../target/profiles.js';
import { templatesIn } from '../templates/directory.js';
import { candidatesAt } from './candidates.js';
import { type CompletionContext, readCommandLine } from './command-line.js';
import { filesAfterAt } from './file-names.js';
import { packageRoot, readManifest } from './manifest.js';
import type { Name } from './names.js';
import { bashText, readWord, type Shell } from './shell-words.js';
import { namesFromTarget } from './target-names.js';

/** Shells truncate longer descriptions. */
const ABOUT_CHARACTERS = 70;

/** The shell that requests completions. */
export interface RequestingShell {
  shell: Shell;
  /** The typed part of the word before the part that bash replaces. For bash only. */
  before: string | undefined;
}

/**
 * Returns completions in the format that the shell scripts read. The first line contains what to offer when no name
 * matches (`nothing`, `files` or `directories`), whether a space follows a name (`space` or `open`), and the part of
 * the word before the value. Each other line is a name, a tab and its description. For bash, the name is the text to
 * insert, with the open quote; the other shells quote names themselves. `words` are the typed words after the program's
 * name; the last one is to be completed. Any failure returns no names, without a message.
 */
export async function complete(
  words: readonly string[],
  binary: string,
  { shell, before }: RequestingShell,
): Promise<string> {
  try {
    const root = packageRoot(binary);
    const manifest = readManifest(root);
    // `svc help emails send` has the same words as the command.
    const asked = words[0] === 'help' && words.length > 1 ? words.slice(1) : words;
    const context = readCommandLine(
      asked.map((word) => readWord(word, shell).value),
      manifest,
    );
    const flags = Object.fromEntries(
      [...context.usedFlags].map(([name, values]) => [name, expandHome(values.at(-1) ?? '')]),
    );
    const found = await candidatesAt(context, manifest, {
      // Names that are not available are omitted without a message; other completions are still offered.
      resources: (kind) =>
        namesFromTarget(kind, flags, process.env, process.cwd()).then(withoutFlags(context), () => []),
      profiles,
      starters: () => templatesIn(join(root, 'templates')),
      templateDirectories: () => templatesIn('templates'),
    });
    const isFileAfterAt = found.fallback === 'files' && context.typed.startsWith('@');
    // bash would offer host names after @.
    const { names, fallback, open } = isFileAfterAt && before !== undefined ? filesAfterAt(context.typed) : found;
    // A name with control characters cannot be typed.
    const fitting = names.filter(({ name }) => name.startsWith(context.typed) && oneLine(name) === name);
    const lines = [...new Map(fitting.map(({ name, about }) => [context.prefix + name, about]))].flatMap(
      ([name, about]) => {
        const text = before === undefined ? name : insertedText(name, before);
        return text === undefined ? [] : `${text}\t${[...oneLine(about)].slice(0, ABOUT_CHARACTERS).join('')}`;
      },
    );
    const first = [fallback, open ? 'open' : 'space', context.prefix + (isFileAfterAt ? '@' : '')].join('\t');
    return `${[first, ...lines].join('\n')}\n`;
  } catch {
    return 'nothing\tspace\t\n';
  }
}

/**
 * Returns what bash inserts in place of the rest of the word; undefined where the name does not start with the word.
 */
function insertedText(name: string, before: string): string | undefined {
  const { value, quote } = readWord(before, 'bash');
  return name.startsWith(value) ? bashText(name.slice(value.length), quote) : undefined;
}

/** Omits names that svc would read as a flag, such as `--base-url=…`: their author could redirect the command. */
function withoutFlags({ afterDashes, prefix }: CompletionContext): (names: Name[]) => Name[] {
  return (names) => (afterDashes || prefix !== '' ? names : names.filter(({ name }) => !name.startsWith('-')));
}

function profiles() {
  const named = Object.entries(readProfiles(process.env).profiles);
  return [
    { name: LOCAL_PROFILE, about: 'the local server' },
    ...named.map(([name, { base_url }]) => ({ name, about: base_url })),
  ];
}

function expandHome(value: string): string {
  return value.replace(/^~(?=\/|$)/, homedir());
}
