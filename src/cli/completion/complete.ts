import { readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Client } from '../../client/client.js';
import { databaseFile } from '../data-dir/data-dir.js';
import { type FoundDataDir, locateDataDir } from '../data-dir/find.js';
import { isProven, type RunningServer, readRunningServer } from '../data-dir/server-file.js';
import type { TargetFlags } from '../flags/target.js';
import { packageRoot, readManifest } from '../manifest/manifest.js';
import { type Name, type NameKind, namesFromApi, namesOf } from '../manifest/names.js';
import { oneLine } from '../output/text.js';
import { networkFetch } from '../target/network-fetch.js';
import { LOCAL_PROFILE, readProfiles } from '../target/profiles.js';
import { keyFor, namedServer, userAgent } from '../target/target.js';
import { templatesIn } from '../templates/directory.js';
import { type Candidates, candidatesAt } from './candidates.js';
import { type CompletionContext, readCommandLine } from './command-line.js';
import { bashText, readWord, type Shell } from './shell-words.js';

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

/**
 * Returns the files that `@` and the beginning of a path can refer to. A directory can be followed by more of the path.
 */
function filesAfterAt(typed: string): Candidates {
  const path = typed.slice(1);
  const parent = path.slice(0, path.lastIndexOf('/') + 1);
  const start = path.slice(parent.length);
  const names = readdirSync(parent || '.')
    .filter((name) => name.startsWith(start) && (start !== '' || !name.startsWith('.')))
    .map((name) => ({ name: `@${parent}${name}${isDirectory(join(parent, name)) ? '/' : ''}`, about: '' }));
  return { names, fallback: 'nothing', open: names.length === 1 && names[0]?.name.endsWith('/') === true };
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Returns the names of a target's resources: from the database of a data directory, or from the service. */

/** The shell is blocked during this time. */
const TIMEOUT_SECONDS = 0.5;

/** Returns the names of a target's resources. @throws Error when they are not available in time. */
async function namesFromTarget(
  kind: NameKind,
  flags: TargetFlags,
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<Name[]> {
  const located = locateDataDir(flags, env, cwd);
  const chosen = namedServer(flags, env);
  const running = await provenServer(located).catch((error: unknown) => {
    // A selected server does not need a usable data directory.
    if (chosen) return undefined;
    throw error;
  });
  // The database does not contain the resources of a server in memory.
  const inMemory = running?.data_dir === null ? { baseUrl: running.base_url, why: 'it is running' } : undefined;
  const named = chosen ?? inMemory;
  if (!named) {
    const file = databaseFile(located.path);
    if (!statSync(file).isFile()) return [];
    const { readResourceLists } = await import('../../storage/resource-lists.js');
    return readResourceLists(file, (lists) => namesOf(lists, kind));
  }
  const { baseUrl } = named;
  const apiKey = keyFor(flags, env, named)?.value ?? (running?.base_url === baseUrl ? running.api_key : undefined);
  if (!apiKey) return [];
  const fetch = networkFetch(baseUrl, { timeoutSeconds: TIMEOUT_SECONDS, env });
  const client = new Client({
    baseUrl,
    apiKey,
    userAgent,
    // A command may wait without a time limit, a shell may not.
    fetch: (url, { noTimeout: _, ...init }) => fetch(url, init),
  });
  return namesFromApi(client, kind);
}

/** Returns the running server of a data directory, without sending a request to it. */
async function provenServer({ path: dataDir, refusal }: FoundDataDir): Promise<RunningServer | undefined> {
  if (refusal) throw refusal;
  const named = readRunningServer(dataDir);
  return named && (await isProven(dataDir, named)) ? named.server : undefined;
}
