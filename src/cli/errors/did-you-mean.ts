import pjson from '../../../package.json' with { type: 'json' };
import { nearestName } from '../../contract/vocabulary/nearest-name.js';
import { childrenOf, type Manifest, packageRoot, readManifest } from '../manifest/manifest.js';
import { UsageError } from './exit-codes.js';
import { invalidOption } from './oclif-messages.js';

/** Suggests corrections for an invalid command line. It is loaded only when needed. */

interface KnownFlag {
  name: string;
  allowNo?: boolean;
  aliases?: string[];
}

/** Returns the hint for an unknown flag or an invalid value; undefined when nothing is similar. */
export function hintFor(error: Error & { flags?: unknown }, known: readonly KnownFlag[]): string | undefined {
  if (Array.isArray(error.flags)) {
    const names = known.flatMap(({ name, allowNo, aliases = [] }) => [
      name,
      ...aliases,
      ...(allowNo ? [`no-${name}`] : []),
    ]);
    const near = error.flags.flatMap((typed) => {
      const name = String(typed).replace(/^-+/, '').split('=', 1)[0] ?? '';
      const longer = known.map((flag) => flag.name).filter((each) => each.slice(each.indexOf('-') + 1) === name);
      return !names.includes(name) && longer.length > 0 && longer.length <= FEW
        ? longer
        : (nearestName(name, names) ?? []);
    });
    return ask(near.map((name) => `--${name}`));
  }
  const invalid = invalidOption(error);
  if (!invalid) return undefined;
  const whole = invalid.options.find((option) => option.endsWith(`.${invalid.typed}`));
  return ask(whole ?? nearestName(invalid.typed, invalid.options));
}

/** Returns the error for words after a command that takes no arguments. oclif reports them as an unknown command. */
export function unexpectedArguments(argv: readonly string[], binary: string): UsageError | undefined {
  const words = wordsOf(argv);
  const manifest = readManifest(packageRoot(binary));
  const path = knownPath(words, manifest);
  // After a topic, the word is a mistyped command.
  if (!manifest.commands[path.join(':')] || childrenOf(manifest, path).size > 0) return undefined;
  const rest = words.slice(path.length);
  const command = ['svc', ...path].join(' ');
  return new UsageError(
    `Unexpected argument${rest.length > 1 ? 's' : ''}: ${rest.map((word) => word || '""').join(', ')}; "${command}" takes no arguments.`,
    ask(flagsFor(rest, Object.keys(manifest.commands[path.join(':')]?.flags ?? {}))) ?? `Run "${command} --help".`,
  );
}

/** Returns the flag that takes the only word, an address or a URL, with the word. */
function flagsFor([word = '', ...more]: readonly string[], flags: readonly string[]): string[] {
  const wanted = word.includes('://') ? ['url', 'forward-to'] : word.includes('@') ? ['to'] : [];
  const flag = more.length === 0 ? wanted.find((name) => flags.includes(name)) : undefined;
  return flag === undefined ? [] : [`--${flag} ${word}`];
}

/** The commands for words of other tools. */
const OTHER_WORDS = new Map(
  Object.entries({
    find: 'emails list --search',
    logs: 'logs list',
    ls: 'emails list',
    read: 'emails get',
    search: 'emails list --search',
    show: 'emails get',
    start: 'dev',
    up: 'dev',
  }),
);

/** Returns the hint for an unknown command. */
export function hintForCommand(argv: readonly string[], binary: string): string {
  const words = wordsOf(argv);
  const manifest = readManifest(packageRoot(binary));
  const known = knownPath(words, manifest);
  // A topic can be the name of another topic's command, such as `dev`.
  const exact = known.length === 0 ? withoutTopic(words, manifest) : [];
  const other = OTHER_WORDS.get(words[known.length] ?? '') ?? [];
  const near = exact.length > 0 ? exact : [nearestPath(words, manifest) ?? other].flat();
  const topic = ['svc', ...known].join(' ');
  return ask(near.map((path) => `"svc ${path.replaceAll(':', ' ')}"`)) ?? `Run "${topic} --help".`;
}

function wordsOf(argv: readonly string[]): readonly string[] {
  const end = argv.findIndex((word) => word.startsWith('-'));
  return end === -1 ? argv : argv.slice(0, end);
}

/** Returns the first words, as far as they are a topic or a command. */
function knownPath(words: readonly string[], manifest: Manifest): string[] {
  const path: string[] = [];
  for (const word of words) {
    if (!childrenOf(manifest, path).has(word)) break;
    path.push(word);
  }
  return path;
}

/** Returns the nearest command, word by word; undefined when a word has no similar one. */
function nearestPath(words: readonly string[], manifest: Manifest): string[] | undefined {
  const path: string[] = [];
  for (const word of words) {
    const children = [...childrenOf(manifest, path).keys()];
    if (children.length === 0) break;
    const near = children.includes(word) ? word : nearestName(word, children);
    if (near === undefined) return undefined;
    path.push(near);
  }
  return path.length > 0 ? [path.join(':')] : undefined;
}

/** Maximum number of suggestions; more would be a list of everything. */
const FEW = 3;

/** Returns the commands and topics that have these words after a topic, such as `svc send` or `svc clock advance`. */
function withoutTopic(words: readonly string[], { commands }: Manifest): string[] {
  const found = Object.keys(commands).flatMap((id) => {
    const parts = id.split(':');
    const at = parts.indexOf(words[0] ?? '', 1);
    if (at === -1) return [];
    const other = parts.slice(at).findIndex((part, index) => part !== words[index]);
    const same = other === -1 ? parts.length - at : other;
    return [{ path: parts.slice(0, at + same).join(':'), same }];
  });
  const most = Math.max(...found.map(({ same }) => same));
  const paths = [...new Set(found.filter(({ same }) => same === most).map(({ path }) => path))];
  return paths.length <= FEW ? paths : [];
}

function ask(names: string | readonly string[] | undefined): string | undefined {
  const all = [names ?? []].flat();
  const [last] = all.slice(-1);
  if (last === undefined) return undefined;
  return `Did you mean ${all.length > 1 ? `${all.slice(0, -1).join(', ')} or ` : ''}${last}?`;
}

const HELP = ['--help', ...pjson.oclif.additionalHelpFlags];
const VERSION = ['--version', ...pjson.oclif.additionalVersionFlags];

/** Returns the error for a flag without a command or after a topic; undefined when the flag is allowed there. */
export function strayFlag(argv: readonly string[], binary: string): UsageError | undefined {
  const at = argv.findIndex((word) => word.startsWith('-'));
  if (at === -1 || argv.some((word) => HELP.includes(word))) return undefined;
  const words = argv.slice(0, at);
  const id = words.join(':');
  // Some topics are also commands.
  if (at > 0 && readManifest(packageRoot(binary)).commands[id]) return undefined;
  // The value of the flag may be a secret.
  const flag = argv[at]?.replace(/=.*$/s, '') ?? '';
  if (at === 0 && VERSION.includes(flag)) return undefined;
  const before = argv.slice(at).some((word) => !word.startsWith('-'));
  const near = at === 0 && !before && nearestName(flag.replace(/^-+/, ''), ['help', 'version']);
  const place = before ? 'Put flags after the command. ' : '';
  return new UsageError(
    `Unknown flag: ${flag}`,
    near ? `Did you mean --${near}?` : `${place}Run "${['svc', ...words].join(' ')} --help".`,
  );
}
