import { homedir } from 'node:os';
import { join } from 'node:path';
import { LOCAL_PROFILE, readProfiles } from '../profiles.js';
import { templatesIn } from '../template-dir.js';
import { oneLine } from '../text.js';
import { candidatesAt } from './candidates.js';
import { readPlace } from './command-line.js';
import { heldNames } from './held-names.js';
import { packageRoot, readManifest } from './manifest.js';

/** A shell cuts off what does not fit; a name that is a whole screen long helps nobody. */
const ABOUT_CHARACTERS = 70;

/**
 * What a shell's completion asks for, as text: on the first line what to offer when no name fits (`nothing`, `files` or
 * `directories`), whether a space follows a name (`space` or `open`), and what of the word stands before the value; then a
 * name a line, after a tab what it is. `words` are those after the program's name, as they are typed; the last is the one to
 * complete. Whatever goes wrong, nothing is offered and nothing said.
 */
export async function complete(words: readonly string[], binary: string): Promise<string> {
  try {
    const root = packageRoot(binary);
    const manifest = readManifest(root);
    // `svc help emails send` is of the same words as the command.
    const asked = words[0] === 'help' && words.length > 1 ? words.slice(1) : words;
    const place = readPlace(asked.map(unquote), manifest);
    const flags = Object.fromEntries([...place.given].map(([name, values]) => [name, expandHome(values.at(-1) ?? '')]));
    const { names, otherwise, open } = await candidatesAt(place, manifest, {
      // Nobody is told why a name cannot be had; what is known without it is still offered.
      held: (kind) => heldNames(kind, flags, process.env, process.cwd()).catch(() => []),
      profiles,
      starters: () => templatesIn(join(root, 'templates')),
      templateDirectories: () => templatesIn('templates'),
    });
    // A name that holds what a terminal would obey is none that anybody could type.
    const fitting = names.filter(({ name }) => name.startsWith(place.typed) && oneLine(name) === name);
    const lines = [...new Map(fitting.map(({ name, about }) => [name, about]))].map(
      ([name, about]) => `${place.prefix}${name}\t${[...oneLine(about)].slice(0, ABOUT_CHARACTERS).join('')}`,
    );
    const before = place.prefix + (otherwise === 'files' && place.typed.startsWith('@') ? '@' : '');
    return `${[`${otherwise}\t${open ? 'open' : 'space'}\t${before}`, ...lines].join('\n')}\n`;
  } catch {
    return 'nothing\tspace\t\n';
  }
}

function profiles() {
  const named = Object.entries(readProfiles(process.env).profiles);
  return [
    { name: LOCAL_PROFILE, about: 'the local server' },
    ...named.map(([name, { base_url }]) => ({ name, about: base_url })),
  ];
}

/** A word without its shell's quotes; nothing in it is carried out. */
function unquote(word: string): string {
  return word.replace(
    /\\(.)|'([^']*)'?|"((?:[^"\\]|\\.)*)"?/gs,
    (_, escaped, single, double) => escaped ?? single ?? String(double).replace(/\\([$`"\\])/g, '$1'),
  );
}

function expandHome(value: string): string {
  return value.replace(/^~(?=\/|$)/, homedir());
}
