import { nearestName } from '../../contract/vocabulary/helpers/nearest-name.js';
import { childrenOf, type Manifest, packageRoot, readManifest } from '../completion/manifest.js';
import { UsageError } from './exit-codes.js';
import { invalidOption } from './oclif-messages.js';

/** What somebody may have meant by a command line that was refused. Loaded when one was. */

interface KnownFlag {
  name: string;
  allowNo?: boolean;
  aliases?: string[];
}

/** The hint for oclif's refusal of a flag or of a value; undefined when nothing is near. */
export function hintFor(error: Error & { flags?: unknown }, known: readonly KnownFlag[]): string | undefined {
  if (Array.isArray(error.flags)) {
    const names = known.flatMap(({ name, allowNo, aliases = [] }) => [
      name,
      ...aliases,
      ...(allowNo ? [`no-${name}`] : []),
    ]);
    const near = error.flags.flatMap((typed) => {
      const name = String(typed).replace(/^-+/, '').split('=', 1)[0] ?? '';
      const longer = known.map((flag) => flag.name).filter((each) => each.endsWith(`-${name}`));
      return !names.includes(name) && longer.length > 0 && longer.length <= FEW
        ? longer
        : (nearestName(name, names) ?? []);
    });
    return ask(near.map((name) => `--${name}`));
  }
  const invalid = invalidOption(error);
  return ask(invalid && nearestName(invalid.typed, invalid.options));
}

/** What is wrong with words after a command that takes none: to oclif they are of the name of a command that is not there. */
export function unexpectedArguments(argv: readonly string[], binary: string): UsageError | undefined {
  const words = wordsOf(argv);
  const manifest = readManifest(packageRoot(binary));
  const path = knownPath(words, manifest);
  // What follows a topic is a slip in a command's name.
  if (!manifest.commands[path.join(':')] || childrenOf(manifest, path).size > 0) return undefined;
  const rest = words.slice(path.length);
  const command = ['svc', ...path].join(' ');
  return new UsageError(
    `Unexpected argument${rest.length > 1 ? 's' : ''}: ${rest.join(', ')}; "${command}" takes no arguments.`,
    `Run "${command} --help".`,
  );
}

/** The hint for words that name no command. */
export function hintForCommand(argv: readonly string[], binary: string): string {
  const words = wordsOf(argv);
  const manifest = readManifest(packageRoot(binary));
  const near = nearestPath(words, manifest) ?? commandsNamed(words[0] ?? '', manifest);
  const topic = ['svc', ...knownPath(words, manifest)].join(' ');
  return ask(near.map((path) => `"svc ${path.replaceAll(':', ' ')}"`)) ?? `Run "${topic} --help".`;
}

function wordsOf(argv: readonly string[]): readonly string[] {
  const end = argv.findIndex((word) => word.startsWith('-'));
  return end === -1 ? argv : argv.slice(0, end);
}

/** The first words, as far as they name a topic or a command. */
function knownPath(words: readonly string[], manifest: Manifest): string[] {
  const path: string[] = [];
  for (const word of words) {
    if (!childrenOf(manifest, path).has(word)) break;
    path.push(word);
  }
  return path;
}

/** Word by word the nearest of those that may stand there; undefined as soon as there is none. */
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

/** More would be a list of everything. */
const FEW = 3;

/** Commands by their last word alone: `svc send`. */
function commandsNamed(word: string, { commands }: Manifest): string[] {
  const found = Object.keys(commands).filter((id) => id.endsWith(`:${word}`));
  return found.length <= FEW ? found : [];
}

function ask(names: string | readonly string[] | undefined): string | undefined {
  const [first, ...more] = [names ?? []].flat();
  return first === undefined ? undefined : `Did you mean ${[first, ...more].join(' or ')}?`;
}
