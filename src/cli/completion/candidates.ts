import { emailStatuses } from '../../contract/vocabulary/emails.js';
import { eventTypes } from '../../contract/vocabulary/event-types.js';
import { MAGIC_DOMAIN, outcomes } from '../../contract/vocabulary/outcomes.js';
import { fieldNames, formOf, isFieldName } from '../../contract/vocabulary/query/fields.js';
import { ALL_EVENTS } from '../flags/event-types.js';
import { childrenOf, type FlagEntry, type Manifest } from '../manifest/manifest.js';
import type { Name, NameKind } from '../manifest/names.js';
import { argumentKind, flagKind, type ValueKind } from '../manifest/value-kinds.js';
import type { CompletionContext } from './command-line.js';

/** The words that the shell may offer. */
export interface Candidates {
  names: Name[];
  /** What the shell offers by itself when no name matches. */
  fallback: 'nothing' | 'files' | 'directories';
  /** Whether the word may continue, so that no space follows it. */
  open: boolean;
}

/** Names that do not come from the command line. */
export interface Sources {
  resources(kind: NameKind): Promise<Name[]>;
  profiles(): Name[];
  starters(): string[];
  /** Template directories below the working directory. */
  templateDirectories(): string[];
}

export async function candidatesAt(
  context: CompletionContext,
  manifest: Manifest,
  sources: Sources,
): Promise<Candidates> {
  const { command, flag, argument } = context;
  if (flag) return valuesOf(flag, command && flagKind(command, flag), context, sources);
  // The following words belong to another program.
  if (context.afterDashes && !argument) return { ...candidates([]), fallback: 'files' };
  if (context.typed.startsWith('-') && !context.afterDashes) return candidates(flagsAt(context));
  const children = context.used === 0 ? [...childrenOf(manifest, context.path)] : [];
  if (children.length > 0) return candidates(children.map(([name, about]) => ({ name, about })));
  if (command && argument) return valuesOf(argument, argumentKind(command, argument), context, sources);
  return candidates(flagsAt(context));
}

async function valuesOf(
  { options, description = '' }: { options?: string[]; description?: string },
  kind: ValueKind | undefined,
  context: CompletionContext,
  sources: Sources,
): Promise<Candidates> {
  if (options) return candidates(withoutDescription(options));
  // The description names the word where it stands for the newest resource.
  const latest = /\bor latest\b/.test(description) ? [{ name: 'latest', about: 'the newest one' }] : [];
  switch (kind) {
    case undefined:
      return candidates([]);
    case 'file':
      return { ...candidates([]), fallback: 'files' };
    case 'directory':
      return { ...candidates([]), fallback: 'directories' };
    case 'email-status':
      return candidates(withoutDescription(emailStatuses));
    case 'event-type':
      return candidates(withoutDescription(eventTypes));
    case 'event-types':
      return { ...candidates(moreEventTypes(context.typed)), open: true };
    case 'query':
      return { ...candidates(queryParts(context.typed)), open: true };
    case 'recipient':
      return candidates(
        outcomes.map((outcome) => ({ name: `${outcome}@${MAGIC_DOMAIN}`, about: `simulates the outcome ${outcome}` })),
      );
    case 'profile':
      return candidates(sources.profiles());
    case 'starter':
      return candidates(withoutDescription(sources.starters()));
    case 'template-or-directory': {
      const local = sources.templateDirectories().map((name) => ({ name, about: 'a template directory' }));
      return {
        ...candidates([...local, ...latest, ...(await sources.resources('template'))]),
        fallback: 'directories',
      };
    }
    default:
      return {
        ...candidates([...latest, ...(await sources.resources(kind))]),
        // The description names the files that may replace an ID.
        fallback: /\bfile\b/.test(description) ? 'files' : 'nothing',
      };
  }
}

/** Returns every type that the comma-separated list does not contain yet, each with the list before it. */
function moreEventTypes(typed: string): Name[] {
  const list = typed.slice(0, typed.lastIndexOf(',') + 1);
  const there = list.split(',');
  const types = withoutDescription(eventTypes.filter((type) => !there.includes(type)).map((type) => list + type));
  return list === '' ? [{ name: ALL_EVENTS, about: 'every event type' }, ...types] : types;
}

/** Returns every way to continue the last condition of a query: the fields, or the words of its field. */
function queryParts(typed: string): Name[] {
  const [, before = '', field = ''] = /^(.*[\s(-]|)(?:([a-z-]+):)?[^\s(-]*$/s.exec(typed) ?? [];
  if (field === '') return fieldNames.map((name) => ({ name: `${before}${name}:`, about: formOf(name).description }));
  const words = isFieldName(field) ? (formOf(field).words ?? []) : [];
  return withoutDescription(words.map((word) => `${before}${field}:${word}`));
}

/** Returns the flags that can still be added. */
function flagsAt({ command, usedFlags }: CompletionContext): Name[] {
  const all = Object.values(command?.flags ?? {}).filter(({ hidden }) => !hidden);
  const excluded = new Set(all.filter(({ name }) => usedFlags.has(name)).flatMap(({ exclusive = [] }) => exclusive));
  const open = all.filter(
    ({ name, multiple, exclusive = [] }) =>
      (multiple || !usedFlags.has(name)) && !excluded.has(name) && !exclusive.some((other) => usedFlags.has(other)),
  );
  const general = command ? [] : [{ name: '--version', about: 'Print the version.' }];
  // Flags of every command come after the command's own.
  const inOrder = [...open.filter(({ helpGroup }) => !helpGroup), ...open.filter(({ helpGroup }) => helpGroup)];
  return [...inOrder.flatMap(spellings), ...general, { name: '--help', about: 'Show help.' }];
}

function spellings({ name, description = '', allowNo }: FlagEntry): Name[] {
  return (allowNo ? [`--${name}`, `--no-${name}`] : [`--${name}`]).map((each) => ({ name: each, about: description }));
}

function candidates(names: Name[]): Candidates {
  return { names, fallback: 'nothing', open: false };
}

function withoutDescription(names: readonly string[]): Name[] {
  return names.map((name) => ({ name, about: '' }));
}
