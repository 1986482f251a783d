import { quoted } from '../output/text.js';

/**
 * Rewrites oclif's messages about an invalid command line. No other file reads them. oclif's errors contain missing
 * arguments and unknown flags as data, and everything else as text only. The result repeats what was typed, but not the
 * values of flags.
 */

interface ParseError extends Error {
  /** The missing arguments. */
  args?: { name: string; description?: string }[];
}

/** The arguments that a command declares. */
export type DeclaredArgs = Readonly<Record<string, { options?: readonly string[] | undefined }>>;

export function usageMessage(error: ParseError, declared: DeclaredArgs = {}): string {
  const [text = ''] = error.message.split('\nSee more help with');
  if (/^Missing \d+ required arg/.test(text)) return missingArguments(error.args ?? []);
  return flagSentences(text) ?? optionSentence(error, declared) ?? rewordParseError(text);
}

/** Returns a value that is not an option of its flag or argument; undefined for other errors. */
export function invalidOption(error: Error): { typed: string; options: string[] } | undefined {
  const [, typed, options] = /^Expected (?:--[^=\s]+=)?(.*?) to be one of: ([^\n]+)/s.exec(error.message) ?? [];
  return typed === undefined || options === undefined ? undefined : { typed, options: options.split(', ') };
}

/** Returns the sentence about a value that is not an option; undefined for other errors. */
function optionSentence(error: Error, declared: DeclaredArgs): string | undefined {
  const invalid = invalidOption(error);
  if (!invalid) return undefined;
  const [, flag] = /^Expected (--[^=\s]+)=/.exec(error.message) ?? [];
  // oclif's error does not name the argument.
  const options = invalid.options.join();
  const argument = Object.keys(declared).find((name) => declared[name]?.options?.join() === options);
  return `${flag ?? argument?.toUpperCase() ?? 'The argument'} must be one of ${invalid.options.join(', ')}, not ${quoted(invalid.typed)}.`;
}

function missingArguments(args: { name: string; description?: string }[]): string {
  const names = args.map(({ name }) => name.toUpperCase());
  const [{ description = '' } = {}, ...more] = args;
  if (more.length > 0) return `Missing required arguments ${listed(names)}.`;
  const what = description.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase()).replace(/\.$/, '');
  return `Missing required argument ${names[0]}${what && `: ${what}`}.`;
}

/** Returns sentences about missing flags and invalid combinations; undefined for other errors. */
function flagSentences(text: string): string | undefined {
  const missing = [...text.matchAll(/^[ \t]*Missing required flag (?:--)?(\S+)$/gm)].map(([, name]) => `--${name}`);
  const pairs = [...text.matchAll(/--([\w-]+)(?:=.*?)? cannot also be provided when using --([\w-]+)/gs)].map(
    ([, one, other]) => [`--${one}`, `--${other}`].sort(),
  );
  const lone = [...text.matchAll(/All of the following must be provided when using (--\S+): (.*)/g)];
  const sentences = [
    ...(missing.length > 0 ? [`Missing required flag${missing.length > 1 ? 's' : ''} ${listed(missing)}.`] : []),
    ...new Set(pairs.map((pair) => `${listed(pair)} cannot be used together.`)),
    ...lone.map(([, flag, needed = '']) => `${flag} requires ${listed(needed.split(', '))}.`),
  ];
  return sentences.length > 0 ? sentences.join(' ') : undefined;
}

function rewordParseError(text: string): string {
  return (
    text
      .replace(/^The following errors? occurred:/, '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .join(' ')
      .trim()
      .replace(/^command (.+) not found\.?$/is, (_, id: string) => `Unknown command "svc ${id.replaceAll(':', ' ')}".`)
      // The value of the flag may be a secret: --apikey=…
      .replace(/^Nonexistent flag(s?): (.*)$/s, (_, s: string, flags: string) => {
        return `Unknown flag${s}: ${flags
          .split(', --')
          .map((flag) => flag.split('=', 1)[0])
          .join(', --')}`;
      })
      .replace(
        /^Parsing (--\S+) Expected an integer( .*?)? but received: (.*)$/s,
        (_, flag: string, range = '', typed: string) => `${flag} must be an integer${range}, not ${quoted(typed)}.`,
      )
      .replace(/^Parsing (--\S+) (?=must )/, '$1 ')
      .replace(/^Flag (--\S+) expects one of these values: (.*)$/s, '$1 requires a value: one of $2.')
  );
}

function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}
