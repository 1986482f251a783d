import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '../../client/client.js';
import { CommandEndedError } from '../../client/time-limit.js';
import { mayHaveBeenDone } from '../../client/writes.js';
import type { Template } from '../../contract/service/templates.js';
import { nearestName } from '../../contract/vocabulary/nearest-name.js';
import { CommandError, NotFoundError, UsageError } from '../errors/exit-codes.js';
import { entriesOf, readTemplateDir, type TemplateFiles } from './directory.js';
import { allTemplates } from './find.js';
import { type CompilerOptions, withCompiler } from './sources/compiler.js';
import { digestOf, readSynced, recordRemoved, recordSynced, type SyncContext, type Synced } from './sync-record.js';
import { freeDirectoryNames, templateBackup, writeTemplateDir } from './write-directory.js';

/** Keeps a directory of template directories and a server's templates in sync. */

export type SyncAction = 'create' | 'update' | 'delete' | 'unchanged' | 'conflict';

/** The side that changed a template since the last common version; `unknown` without a common version. */
export type Changed = 'here' | 'there' | 'both' | 'unknown';

export interface SyncStep {
  name: string;
  action: SyncAction;
  /** The fields that differ (subject, html, text), where both sides have the template. */
  fields: string[];
  /** Null when both sides are equal. */
  changed: Changed | null;
  /** The path that a pull writes to, for a template that the directory does not have yet. */
  path?: string;
  /** The result of a push that was not a dry run. `unconfirmed`: the answer was lost, and the change may be made. */
  result?: 'applied' | 'failed' | 'unconfirmed' | 'not_attempted';
}

interface Side {
  local: TemplateFiles | undefined;
  remote: Template | undefined;
  /** Whether the service does not return the text of its template. It counts as that of the directory. */
  isTextUnknown: boolean;
}

/** A directory and a server, their templates and the last common versions. */
export interface Sync extends SyncContext {
  synced: Synced;
  /** Whether the server was emptied or started from scratch since the last sync, which makes the record meaningless. */
  recordOutdated: boolean;
  /** Both sides of each template, sorted by name. */
  sides: Map<string, Side>;
}

const COMPARED = ['subject', 'html', 'text'] as const;

/** Returns the template directories in a directory, by the name in template.json. */
export async function readTemplateDirs(
  directory: string,
  flags: CompilerOptions = {},
): Promise<Map<string, TemplateFiles>> {
  const found = new Map<string, TemplateFiles>();
  if (!existsSync(directory)) return found;
  await withCompiler(directory, flags, async (compiler) => {
    for (const entry of entriesOf(directory)) {
      const path = join(directory, entry.name);
      if (!entry.isDirectory() || !entriesOf(path).some(({ name }) => name === 'template.json')) continue;
      const template = await readTemplateDir(path, compiler);
      const other = found.get(template.name);
      if (other)
        throw new UsageError(`${other.directory} and ${path} are both named ${JSON.stringify(template.name)}.`);
      found.set(template.name, template);
    }
  });
  return found;
}

/** Reads the templates of both sides. `onRead` receives the number of templates read from the server. */
export async function readSync(
  client: Client,
  context: SyncContext,
  flags: CompilerOptions = {},
  onRead?: (count: number, total: number) => void,
): Promise<Sync> {
  const synced = readSynced(context);
  const sides = new Map<string, Side>();
  for (const [name, local] of await readTemplateDirs(context.directory, flags)) {
    sides.set(name, { local, remote: undefined, isTextUnknown: false });
  }
  const listed: Template[] = [];
  for await (const template of allTemplates(client, onRead)) listed.push(template);
  for (const remote of await completeTemplates(client, listed)) {
    const local = sides.get(remote.name)?.local;
    const isTextUnknown = !Object.hasOwn(remote, 'text');
    sides.set(remote.name, {
      local,
      remote: { ...remote, text: remote.text ?? local?.text ?? '' },
      isTextUnknown,
    });
  }
  const recordOutdated = context.server.local && ![...sides.values()].some(({ remote }) => remote);
  return { ...context, synced, recordOutdated, sides: new Map([...sides].sort(([a], [b]) => (a < b ? -1 : 1))) };
}

/**
 * Returns the steps of the named templates; all steps without a name.
 * @throws NotFoundError for a template that neither side has.
 */
export function stepsOf(plan: readonly SyncStep[], names: readonly string[], { sides }: Sync): SyncStep[] {
  requireNames(names, [...sides.keys()], ', neither in the directory nor on the server');
  return plan.filter((step) => names.length === 0 || names.includes(step.name));
}

/** @throws NotFoundError for a name that is not known. `where` completes the message. */
export function requireNames(names: readonly string[], known: readonly string[], where: string): void {
  for (const name of names) {
    if (known.includes(name)) continue;
    const nearest = nearestName(name, [...known]);
    throw new NotFoundError(
      `Template ${JSON.stringify(name)} not found${where}.`,
      nearest && `Did you mean ${JSON.stringify(nearest)}?`,
    );
  }
}

/** Number of templates that are read at a time. */
const READ_AT_ONCE = 4;

const SYNCED = ['name', ...COMPARED] as const;

/** A template as a service returns it, perhaps without its text. */
type ReadTemplate = Omit<Template, 'text'> & Partial<Pick<Template, 'text'>>;

/** Returns the templates with all fields. A service may list them without bodies: then each is read by itself. */
async function completeTemplates(client: Client, listed: readonly Template[]): Promise<ReadTemplate[]> {
  const complete: ReadTemplate[] = [];
  for (let index = 0; index < listed.length; index += READ_AT_ONCE) {
    const some = listed.slice(index, index + READ_AT_ONCE).map(async (template) => {
      if (SYNCED.every((field) => Object.hasOwn(template, field))) return template;
      const single = await client.call('templates.get', { params: { id: template.id } });
      const [name, subject, html] = (['name', 'subject', 'html'] as const).map(
        (field) => single[field] || template[field],
      ) as [string, string, string];
      const known = [single, template].find((each) => Object.hasOwn(each, 'text'));
      if (name !== '' && html !== '') return { ...template, name, subject, html, ...(known && { text: known.text }) };
      const lacking = name === '' ? 'name' : 'HTML';
      throw new CommandError(`The answer of the service does not contain the ${lacking} of template ${template.id}.`);
    });
    complete.push(...(await Promise.all(some)));
  }
  return complete;
}

type Compared = Pick<Side, 'local' | 'remote'> & Pick<SyncStep, 'name' | 'fields' | 'changed'>;

/** Compares both sides: the fields that differ, and which side changed. */
function compare({ synced, recordOutdated, sides }: Sync): Compared[] {
  return [...sides].map(([name, side]) => {
    const { local, remote } = side;
    const fields: string[] = local && remote ? COMPARED.filter((field) => local[field] !== remote[field]) : [];
    const changed = changedSince(recordOutdated || !Object.hasOwn(synced, name) ? undefined : synced[name], side);
    return {
      local,
      remote,
      name,
      changed,
      fields: changed === 'here' && fields.length === 0 && local && remote ? ['text'] : fields,
    };
  });
}

function changedSince(synced: string | undefined, { local, remote, isTextUnknown }: Side): Changed | null {
  const here = local && digestOf(local);
  const there = remote && digestOf(remote);
  if (here === there) return isTextUnknown && synced !== undefined && synced !== here ? 'here' : null;
  if (here && there && !synced) return 'unknown';
  if (here !== synced && there !== synced) return 'both';
  return here === synced ? 'there' : 'here';
}

export interface PushOptions {
  /** Whether to delete templates on the server that the directory does not have. */
  delete: boolean;
  /** Whether to overwrite changes on the server, and create templates again that were deleted there. */
  force: boolean;
}

/** Returns the steps of a push. Changes nothing. */
export function planPush(sync: Sync, options: PushOptions): SyncStep[] {
  return compare(sync).map(({ local, remote, ...found }) => {
    const { changed } = found;
    const step = (action: SyncAction): SyncStep => ({ ...found, action });
    if (changed === null) return step('unchanged');
    if (!remote) return step(changed === 'here' || options.force ? 'create' : 'conflict');
    if (local) return step(changed === 'here' || options.force ? 'update' : 'conflict');
    if (!options.delete) return step('unchanged');
    return step(changed === 'both' && !options.force ? 'conflict' : 'delete');
  });
}

/** Removes templates from the record that neither side has now. A later template of the same name is unrelated. */
function forgetRemoved(sync: Sync): void {
  for (const name of Object.keys(sync.synced))
    if (sync.recordOutdated || !sync.sides.has(name)) recordRemoved(sync, name);
}

export interface Pushed {
  /** The steps with their results. */
  steps: SyncStep[];
  /** The error that ended the push, and its template. */
  failure?: { name: string; error: unknown };
}

/** Runs the steps of a push up to the first that fails, reports the number of completed ones, and updates the record. */
export async function push(
  client: Client,
  sync: Sync,
  plan: readonly SyncStep[],
  onStep: (done: number, total: number) => void,
): Promise<Pushed> {
  forgetRemoved(sync);
  const steps: SyncStep[] = [];
  for (const [index, step] of plan.entries()) {
    try {
      await pushOne(client, sync, step);
    } catch (error) {
      const rest = plan.slice(index + 1).map((each) => withResult(each, 'not_attempted'));
      return { steps: [...steps, withResult(step, resultOf(error)), ...rest], failure: { name: step.name, error } };
    }
    steps.push(withResult(step, 'applied'));
    onStep(index + 1, plan.length);
  }
  return { steps };
}

function resultOf(error: unknown): NonNullable<SyncStep['result']> {
  // The command ended before it sent the request.
  if (error instanceof CommandEndedError) return 'not_attempted';
  return mayHaveBeenDone(error) ? 'unconfirmed' : 'failed';
}

function withResult(step: SyncStep, result: NonNullable<SyncStep['result']>): SyncStep {
  return step.action === 'unchanged' ? step : { ...step, result };
}

async function pushOne(client: Client, sync: Sync, { name, action }: SyncStep): Promise<void> {
  const { local, remote, isTextUnknown } = sync.sides.get(name) as Side;
  if (action === 'delete' && remote) {
    await client.call('templates.delete', { params: { id: remote.id } });
    recordRemoved(sync, name);
  }
  if (action === 'create' && local) recordSynced(sync, await client.call('templates.create', { body: bodyOf(local) }));
  if (action === 'update' && local && remote) {
    const params = { id: remote.id };
    const { text, ...rest } = bodyOf(local);
    // A text that is known nowhere is kept.
    const body = isTextUnknown && text === '' ? rest : { ...rest, text };
    recordSynced(sync, { ...(await client.call('templates.update', { params, body })), text });
  }
  if (action === 'unchanged' && local && remote) recordSynced(sync, remote);
}

function bodyOf({ name, subject, html, text }: TemplateFiles) {
  return { name, subject, html, text };
}

/** Returns the steps of a pull. Changes nothing. */
export function planPull(sync: Sync, force: boolean): SyncStep[] {
  const freeName = freeDirectoryNames(sync.directory);
  return compare(sync).flatMap(({ local, remote, ...found }) => {
    const { changed } = found;
    const step = (action: SyncAction): SyncStep => ({ ...found, action });
    if (!remote) return changed === 'here' ? [] : step('unchanged');
    if (!local) return { ...step('create'), path: freeName(found.name) };
    if (changed === null) return step('unchanged');
    if (changed === 'there' || force) return step('update');
    return step(changed === 'here' ? 'unchanged' : 'conflict');
  });
}

/** @throws CommandError if a pull would write the HTML of a template that is compiled from a source. */
function requireWritable({ sides }: Sync, plan: readonly SyncStep[]): void {
  for (const { name, action } of plan) {
    const code = action === 'update' ? sides.get(name)?.local?.code : undefined;
    if (!code) continue;
    throw new CommandError(
      `Template ${JSON.stringify(name)} changed on the server, but here it is compiled from ${code.file}.`,
      'Change the source, and push with --force. Name the other templates to pull them.',
    );
  }
}

/** Runs the steps of a pull, and updates the record. @throws CommandError if one fails; all files are then as before. */
export function pull(sync: Sync, plan: readonly SyncStep[]): void {
  requireWritable(sync, plan);
  const restore: (() => void)[] = [];
  if (!existsSync(sync.directory)) restore.push(() => rmSync(sync.directory, { recursive: true, force: true }));
  const steps = plan.map(({ name, action, path = '', ...step }) => {
    const { local, remote } = sync.sides.get(name) as Side;
    const isWritten = action === 'create' || action === 'update';
    return { ...step, remote, isWritten, directory: local?.directory ?? join(sync.directory, path) };
  });
  try {
    for (const { remote, isWritten, directory } of steps) {
      if (!remote || !isWritten) continue;
      restore.unshift(templateBackup(directory));
      writeTemplateDir(directory, remote);
    }
  } catch (error) {
    for (const each of restore) {
      try {
        each();
      } catch {
        // The first error has the reason. The other directories can still be restored.
      }
    }
    throw error;
  }
  forgetRemoved(sync);
  for (const { remote, isWritten, changed } of steps) {
    if (remote && (isWritten || changed === null)) recordSynced(sync, remote);
  }
}
