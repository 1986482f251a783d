import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '../client/client.js';
import type { Template } from '../contract/template.js';
import { UsageError } from './exit-codes.js';
import { allTemplates } from './find-template.js';
import { digestOf, noteAlike, noteGone, readSynced } from './sync-record.js';
import { readTemplateDir, type TemplateFiles } from './template-dir.js';

/** Keeps a directory of template directories and a server's templates alike. */

export type SyncAction = 'create' | 'update' | 'delete' | 'unchanged' | 'conflict';

/** Where a template was changed since both sides were last alike; unknown when nothing says that they ever were. */
export type Changed = 'here' | 'there' | 'both' | 'unknown';

export interface SyncStep {
  name: string;
  action: SyncAction;
  /** Which of subject, html and text differ, where both sides have the template. */
  fields: string[];
  /** Null when both sides are alike. */
  changed: Changed | null;
}

interface Side {
  local: TemplateFiles | undefined;
  remote: Template | undefined;
}

/** A directory, a server as its record calls it, and what both have. */
export interface Sync {
  directory: string;
  server: string;
  /** By name, in the order of the names. */
  sides: Map<string, Side>;
}

const COMPARED = ['subject', 'html', 'text'] as const;

/** Every template directory below a directory, by the name in its template.json. */
export async function readTemplateDirs(directory: string): Promise<Map<string, TemplateFiles>> {
  const found = new Map<string, TemplateFiles>();
  if (!existsSync(directory)) return found;
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (!entry.isDirectory() || !existsSync(join(path, 'template.json'))) continue;
    const template = await readTemplateDir(path);
    const other = found.get(template.name);
    if (other) throw new UsageError(`${other.directory} and ${path} are both named ${JSON.stringify(template.name)}.`);
    found.set(template.name, template);
  }
  return found;
}

/** Reads what both sides have. `onRead` is told how much of the server's has been read. */
export async function readSync(
  client: Client,
  { directory, server }: Pick<Sync, 'directory' | 'server'>,
  onRead?: (count: number, total: number) => void,
): Promise<Sync> {
  const sides = new Map<string, Side>();
  for (const [name, local] of await readTemplateDirs(directory)) sides.set(name, { local, remote: undefined });
  for await (const remote of allTemplates(client, onRead)) {
    sides.set(remote.name, { local: sides.get(remote.name)?.local, remote });
  }
  return { directory, server, sides: new Map([...sides].sort(([a], [b]) => (a < b ? -1 : 1))) };
}

type Compared = Side & Pick<SyncStep, 'name' | 'fields' | 'changed'>;

/** What differs, and where it was changed. */
function compare({ directory, server, sides }: Sync): Compared[] {
  const synced = readSynced(directory, server);
  return [...sides].map(([name, side]) => {
    const { local, remote } = side;
    const fields = local && remote ? COMPARED.filter((field) => local[field] !== remote[field]) : [];
    return { ...side, name, fields, changed: changedSince(synced[name], side) };
  });
}

function changedSince(synced: string | undefined, { local, remote }: Side): Changed | null {
  const here = local && digestOf(local);
  const there = remote && digestOf(remote);
  if (here === there) return null;
  if (here && there && !synced) return 'unknown';
  if (here !== synced && there !== synced) return 'both';
  return here === synced ? 'there' : 'here';
}

export interface PushOptions {
  /** Deletes on the server what the directory does not have. */
  delete: boolean;
  /** Overwrites what was changed on the server. */
  force: boolean;
}

/** What a push would do. Nothing is changed. */
export function planPush(sync: Sync, options: PushOptions): SyncStep[] {
  return compare(sync).map(({ local, remote, ...found }) => {
    const { changed } = found;
    const step = (action: SyncAction): SyncStep => ({ ...found, action });
    if (changed === null) return step('unchanged');
    if (!remote) return step('create');
    if (local) return step(changed === 'here' || options.force ? 'update' : 'conflict');
    if (!options.delete) return step('unchanged');
    return step(changed === 'both' && !options.force ? 'conflict' : 'delete');
  });
}

/** Carries a plan out, telling how many steps are done, and notes what both sides have. */
export async function push(
  client: Client,
  { directory, server, sides }: Sync,
  plan: readonly SyncStep[],
  onStep: (done: number, total: number) => void,
): Promise<void> {
  for (const [index, { name, action }] of plan.entries()) {
    const { local, remote } = sides.get(name) as Side;
    if (action === 'delete' && remote) {
      await client.call('templates.delete', { params: { id: remote.id } });
      noteGone(directory, server, name);
    }
    if (action === 'create' && local)
      noteAlike(directory, server, await client.call('templates.create', { body: bodyOf(local) }));
    if (action === 'update' && local && remote) {
      const params = { id: remote.id };
      noteAlike(directory, server, await client.call('templates.update', { params, body: bodyOf(local) }));
    }
    if (action === 'unchanged' && local && remote) noteAlike(directory, server, remote);
    onStep(index + 1, plan.length);
  }
}

function bodyOf({ name, subject, html, text }: TemplateFiles) {
  return { name, subject, html, text };
}

/** What a pull would do. Nothing is changed. */
export function planPull(sync: Sync, force: boolean): SyncStep[] {
  return compare(sync).flatMap(({ local, remote, ...found }) => {
    if (!remote) return [];
    const { changed } = found;
    const step = (action: SyncAction): SyncStep => ({ ...found, action });
    if (!local) return step('create');
    if (changed === null) return step('unchanged');
    if (changed === 'there' || force) return step('update');
    return step(changed === 'here' ? 'unchanged' : 'conflict');
  });
}

/** Carries a plan out, and notes what both sides have. */
export function pull({ directory, server, sides }: Sync, plan: readonly SyncStep[]): void {
  for (const { name, action, changed } of plan) {
    const { local, remote } = sides.get(name) as Side;
    const written = action === 'create' || action === 'update';
    if (remote && written) writeTemplateDir(local?.directory ?? join(directory, directoryName(name)), remote);
    if (remote && (written || changed === null)) noteAlike(directory, server, remote);
  }
}

function writeTemplateDir(directory: string, { name, subject, html, text }: Template): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'template.json'), `${JSON.stringify({ name, subject }, null, 2)}\n`);
  writeFileSync(join(directory, 'body.html'), html);
  if (text || existsSync(join(directory, 'body.txt'))) writeFileSync(join(directory, 'body.txt'), text);
}

/** A template's name as a directory's: what a file system may refuse becomes a dash. */
function directoryName(name: string): string {
  return name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+|[.-]+$/g, '') || 'template';
}
