import { type ArgEntry, type CommandEntry, childrenOf, type FlagEntry, type Manifest } from '../manifest/manifest.js';

/** The context of the word that is being completed. */
export interface CompletionContext {
  /** Words of the topic or command typed so far. */
  path: string[];
  command: CommandEntry | undefined;
  /** The flag whose value is being completed. */
  flag: FlagEntry | undefined;
  /** The argument that is being completed; undefined when the command has no more arguments. */
  argument: ArgEntry | undefined;
  /** The number of arguments before the word. */
  used: number;
  /** Whether the word comes after `--`. */
  afterDashes: boolean;
  /** Flags given before the word, with their values. */
  usedFlags: Map<string, string[]>;
  /** The part of the word before the value: `--status=`, else nothing. */
  prefix: string;
  /** The value typed so far. */
  typed: string;
}

/** Reads the words after the program's name; the last is the one being completed, and may be empty. */
export function readCommandLine(words: readonly string[], manifest: Manifest): CompletionContext {
  const last = words.at(-1) ?? '';
  const context: CompletionContext = {
    path: [],
    command: undefined,
    flag: undefined,
    argument: undefined,
    used: 0,
    afterDashes: false,
    usedFlags: new Map(),
    prefix: '',
    typed: last,
  };
  for (const word of words.slice(0, -1)) {
    if (context.flag) {
      addFlagValue(context, context.flag, word);
      context.flag = undefined;
    } else if (context.afterDashes) context.used += 1;
    else if (word === '--') context.afterDashes = true;
    else if (word.startsWith('-') && word !== '-') readFlag(context, word);
    else if (context.used === 0 && childrenOf(manifest, context.path).has(word)) {
      context.path.push(word);
      context.command = manifest.commands[context.path.join(':')];
    } else context.used += 1;
  }
  if (context.flag) return context;
  const [, dashed, value] = context.afterDashes ? [] : (/^(--[^=]+=)(.*)$/s.exec(last) ?? []);
  if (dashed !== undefined && value !== undefined) {
    return { ...context, flag: flagOf(context.command, dashed.slice(0, -1)), prefix: dashed, typed: value };
  }
  return { ...context, argument: Object.values(context.command?.args ?? {})[context.used] };
}

/** Returns the flag for its typed form: `--status`, `-o`, `--no-active`. */
function flagOf(command: CommandEntry | undefined, typed: string): FlagEntry | undefined {
  return Object.values(command?.flags ?? {}).find(
    ({ name, char, allowNo, aliases = [] }) =>
      typed === `--${name}` ||
      (char !== undefined && typed === `-${char}`) ||
      (allowNo && typed === `--no-${name}`) ||
      aliases.some((alias) => typed === `--${alias}`),
  );
}

function readFlag(context: CompletionContext, word: string): void {
  const [, name = word, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
  const flag = flagOf(context.command, name);
  if (!flag) return;
  if (flag.type === 'option' && value === undefined) context.flag = flag;
  else addFlagValue(context, flag, value ?? '');
}

function addFlagValue({ usedFlags }: CompletionContext, { name }: FlagEntry, value: string): void {
  usedFlags.set(name, [...(usedFlags.get(name) ?? []), value]);
}
