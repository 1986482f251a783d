import { eventTypes } from '../../contract/event-types.js';
import { MAGIC_DOMAIN, outcomes } from '../../contract/outcome.js';
import type { Place } from './command-line.js';
import { childrenOf, type FlagEntry, type Manifest } from './manifest.js';
import type { Name, NameKind } from './names.js';
import { argumentKind, flagKind, type ValueKind } from './value-kinds.js';

/** What the shell may offer for a word. */
export interface Candidates {
  names: Name[];
  /** What it offers by itself when none of the names fits. */
  otherwise: 'nothing' | 'files' | 'directories';
  /** Whether more of the same word may follow, so that no space comes after it. */
  open: boolean;
}

/** Where names come from that no command line says. */
export interface Sources {
  held(kind: NameKind): Promise<Name[]>;
  profiles(): Name[];
  starters(): string[];
  /** Template directories below the working directory. */
  templateDirectories(): string[];
}

export async function candidatesAt(place: Place, manifest: Manifest, sources: Sources): Promise<Candidates> {
  const { command, flag, argument } = place;
  if (flag) return valuesOf(flag, command && flagKind(command, flag), place, sources);
  // What follows belongs to another program.
  if (place.afterDashes && !argument) return { ...of([]), otherwise: 'files' };
  if (place.typed.startsWith('-') && !place.afterDashes) return of(flagsAt(place));
  const children = place.used === 0 ? [...childrenOf(manifest, place.path)] : [];
  if (children.length > 0) return of(children.map(([name, about]) => ({ name, about })));
  if (command && argument) return valuesOf(argument, argumentKind(command, argument), place, sources);
  return of(flagsAt(place));
}

async function valuesOf(
  { options }: { options?: string[] },
  kind: ValueKind | undefined,
  place: Place,
  sources: Sources,
): Promise<Candidates> {
  if (options) return of(plain(options));
  switch (kind) {
    case undefined:
      return of([]);
    case 'file':
      return { ...of([]), otherwise: 'files' };
    case 'directory':
      return { ...of([]), otherwise: 'directories' };
    case 'event-type':
      return of(plain(eventTypes));
    case 'event-types':
      return { ...of(moreEventTypes(place.typed)), open: true };
    case 'recipient':
      return of(
        outcomes.map((outcome) => ({ name: `${outcome}@${MAGIC_DOMAIN}`, about: `simulates the outcome ${outcome}` })),
      );
    case 'profile':
      return of(sources.profiles());
    case 'starter':
      return of(plain(sources.starters()));
    case 'template-or-directory': {
      const local = sources.templateDirectories().map((name) => ({ name, about: 'a template directory' }));
      return { ...of([...local, ...(await sources.held('template'))]), otherwise: 'directories' };
    }
    case 'email':
      return of([{ name: 'latest', about: 'the newest email' }, ...(await sources.held(kind))]);
    default:
      return of(await sources.held(kind));
  }
}

/** Every type that the comma-separated list does not have yet, each with the list before it. */
function moreEventTypes(typed: string): Name[] {
  const list = typed.slice(0, typed.lastIndexOf(',') + 1);
  const there = list.split(',');
  return plain(eventTypes.filter((type) => !there.includes(type)).map((type) => list + type));
}

/** Flags that may still be given. */
function flagsAt({ command, given }: Place): Name[] {
  const all = Object.values(command?.flags ?? {}).filter(({ hidden }) => !hidden);
  const excluded = new Set(all.filter(({ name }) => given.has(name)).flatMap(({ exclusive = [] }) => exclusive));
  const open = all.filter(
    ({ name, multiple, exclusive = [] }) =>
      (multiple || !given.has(name)) && !excluded.has(name) && !exclusive.some((other) => given.has(other)),
  );
  const general = command ? [] : [{ name: '--version', about: 'Print the version.' }];
  // Flags that every command has come after its own.
  const inOrder = [...open.filter(({ helpGroup }) => !helpGroup), ...open.filter(({ helpGroup }) => helpGroup)];
  return [...inOrder.flatMap(spellings), ...general, { name: '--help', about: 'Show help.' }];
}

function spellings({ name, description = '', allowNo }: FlagEntry): Name[] {
  return (allowNo ? [`--${name}`, `--no-${name}`] : [`--${name}`]).map((each) => ({ name: each, about: description }));
}

function of(names: Name[]): Candidates {
  return { names, otherwise: 'nothing', open: false };
}

function plain(names: readonly string[]): Name[] {
  return names.map((name) => ({ name, about: '' }));
}
