import { type ArgEntry, type CommandEntry, childrenOf, type FlagEntry, type Manifest } from './manifest.js';

/** Where on a command line the word stands that is being completed. */
export interface Place {
  /** Words of the topic or command typed so far. */
  path: string[];
  command: CommandEntry | undefined;
  /** The flag whose value the word is. */
  flag: FlagEntry | undefined;
  /** The argument that the word would be; undefined when there is none left. */
  argument: ArgEntry | undefined;
  /** How many arguments stand before the word. */
  used: number;
  /** Whether the word comes after `--`. */
  afterDashes: boolean;
  /** Flags given before the word, with their values. */
  given: Map<string, string[]>;
  /** What stands in the word before the value: `--status=`, else nothing. */
  prefix: string;
  /** The value, as far as it is typed. */
  typed: string;
}

/** Reads the words after the program's name; the last is the one being completed, and may be empty. */
export function readPlace(words: readonly string[], manifest: Manifest): Place {
  const last = words.at(-1) ?? '';
  const place: Place = {
    path: [],
    command: undefined,
    flag: undefined,
    argument: undefined,
    used: 0,
    afterDashes: false,
    given: new Map(),
    prefix: '',
    typed: last,
  };
  for (const word of words.slice(0, -1)) {
    if (place.flag) {
      give(place, place.flag, word);
      place.flag = undefined;
    } else if (place.afterDashes) place.used += 1;
    else if (word === '--') place.afterDashes = true;
    else if (word.startsWith('-') && word !== '-') readFlag(place, word);
    else if (place.used === 0 && childrenOf(manifest, place.path).has(word)) {
      place.path.push(word);
      place.command = manifest.commands[place.path.join(':')];
    } else place.used += 1;
  }
  if (place.flag) return place;
  const [, dashed, value] = place.afterDashes ? [] : (/^(--[^=]+=)(.*)$/s.exec(last) ?? []);
  if (dashed !== undefined && value !== undefined) {
    return { ...place, flag: flagOf(place.command, dashed.slice(0, -1)), prefix: dashed, typed: value };
  }
  return { ...place, argument: Object.values(place.command?.args ?? {})[place.used] };
}

/** A flag by how it is typed: `--status`, `-o`, `--no-active`. */
export function flagOf(command: CommandEntry | undefined, typed: string): FlagEntry | undefined {
  return Object.values(command?.flags ?? {}).find(
    ({ name, char, allowNo, aliases = [] }) =>
      typed === `--${name}` ||
      (char !== undefined && typed === `-${char}`) ||
      (allowNo && typed === `--no-${name}`) ||
      aliases.some((alias) => typed === `--${alias}`),
  );
}

function readFlag(place: Place, word: string): void {
  const [, name = word, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
  const flag = flagOf(place.command, name);
  if (!flag) return;
  if (flag.type === 'option' && value === undefined) place.flag = flag;
  else give(place, flag, value ?? '');
}

function give({ given }: Place, { name }: FlagEntry, value: string): void {
  given.set(name, [...(given.get(name) ?? []), value]);
}
