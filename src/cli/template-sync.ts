import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '../client/client.js';
import type { Template } from '../contract/template.js';
import { UsageError } from './exit-codes.js';
import { allTemplates } from './find-template.js';
import { readTemplateDir, type TemplateFiles } from './template-dir.js';

/** Keeps a directory of template directories and a server's templates alike. */

export type SyncAction = 'create' | 'update' | 'delete' | 'unchanged' | 'conflict';

export interface SyncStep {
  name: string;
  action: SyncAction;
  /** Which of subject, html and text differ. */
  fields: string[];
}

interface Side {
  local: TemplateFiles | undefined;
  remote: Template | undefined;
}

const SYNC_FILE = '.svc-sync.json';
const COMPARED = ['subject', 'html', 'text'] as const;

/** When each template was last alike on both sides: by server, by name, the server's `updated_at`. */
type SyncRecord = Record<string, Record<string, string>>;

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

/** What both sides have, by name. `onRead` is told how much of the server's has been read. */
export async function readSides(
  client: Client,
  directory: string,
  onRead?: (count: number, total: number) => void,
): Promise<Map<string, Side>> {
  const sides = new Map<string, Side>();
  for (const [name, local] of await readTemplateDirs(directory)) sides.set(name, { local, remote: undefined });
  for await (const remote of allTemplates(client, onRead)) {
    sides.set(remote.name, { local: sides.get(remote.name)?.local, remote });
  }
  return new Map([...sides].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function differences({ local, remote }: Side): string[] {
  return COMPARED.filter((field) => local?.[field] !== remote?.[field]);
}

export interface PushOptions {
  /** Deletes on the server what the directory does not have. */
  delete: boolean;
  /** Overwrites a server copy that is newer. */
  force: boolean;
}

/** What a push would do. Nothing is changed. */
export function planPush(
  sides: Map<string, Side>,
  directory: string,
  baseUrl: string,
  options: PushOptions,
): SyncStep[] {
  const synced = readSyncRecord(directory)[baseUrl] ?? {};
  return [...sides].map(([name, side]) => {
    const fields = differences(side);
    const step = (action: SyncAction): SyncStep => ({ name, action, fields });
    if (!side.local) return { name, action: options.delete ? 'delete' : 'unchanged', fields: [] };
    if (!side.remote) return step('create');
    if (fields.length === 0) return step('unchanged');
    return step(!options.force && isNewer(side.remote, side.local, synced[name]) ? 'conflict' : 'update');
  });
}

/** Whether the server's copy was changed after the directory's, since both were last alike. */
function isNewer(remote: Template, local: TemplateFiles, syncedAt: string | undefined): boolean {
  if (remote.updated_at === syncedAt) return false;
  return Date.parse(remote.updated_at) > changedAt(local.directory);
}

function changedAt(directory: string): number {
  const files = ['template.json', 'body.html', 'body.txt'].map((file) => join(directory, file));
  return Math.max(...files.filter((file) => existsSync(file)).map((file) => statSync(file).mtimeMs));
}

/** A plan, and what it is a plan of. */
export interface Sync {
  sides: Map<string, Side>;
  plan: SyncStep[];
  directory: string;
  baseUrl: string;
}

/** Carries a plan out, telling how many steps are done, and remembers that both sides are alike. */
export async function push(
  client: Client,
  { sides, plan, directory, baseUrl }: Sync,
  onStep: (done: number, total: number) => void,
): Promise<void> {
  for (const [index, step] of plan.entries()) {
    const { local, remote } = sides.get(step.name) as Side;
    if (step.action === 'delete' && remote) await client.call('templates.delete', { params: { id: remote.id } });
    if (step.action === 'create' && local)
      remember(directory, baseUrl, await client.call('templates.create', { body: bodyOf(local) }));
    if (step.action === 'update' && local && remote) {
      remember(
        directory,
        baseUrl,
        await client.call('templates.update', { params: { id: remote.id }, body: bodyOf(local) }),
      );
    }
    if (step.action === 'unchanged' && local && remote) remember(directory, baseUrl, remote);
    onStep(index + 1, plan.length);
  }
}

function bodyOf({ name, subject, html, text }: TemplateFiles) {
  return { name, subject, html, text };
}

/** What a pull would do. Local changes are overwritten only when asked. */
export function planPull(sides: Map<string, Side>, force: boolean): SyncStep[] {
  return [...sides]
    .filter(([, { remote }]) => remote)
    .map(([name, side]) => {
      const fields = differences(side);
      if (!side.local) return { name, action: 'create', fields };
      if (fields.length === 0) return { name, action: 'unchanged', fields };
      return { name, action: force ? 'update' : 'conflict', fields };
    });
}

export function pull({ sides, plan, directory, baseUrl }: Sync): void {
  for (const step of plan) {
    const { local, remote } = sides.get(step.name) as Side;
    if (remote && (step.action === 'create' || step.action === 'update')) {
      writeTemplateDir(local?.directory ?? join(directory, directoryName(remote.name)), remote);
    }
    if (remote && step.action !== 'conflict') remember(directory, baseUrl, remote);
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

function readSyncRecord(directory: string): SyncRecord {
  try {
    return JSON.parse(readFileSync(join(directory, SYNC_FILE), 'utf8')) as SyncRecord;
  } catch {
    return {};
  }
}

function remember(directory: string, baseUrl: string, { name, updated_at }: Template): void {
  const record = readSyncRecord(directory);
  const synced = record[baseUrl] ?? {};
  if (synced[name] === updated_at) return;
  record[baseUrl] = { ...synced, [name]: updated_at };
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, SYNC_FILE), `${JSON.stringify(record, null, 2)}\n`);
}

const marks: Record<SyncAction, string> = { create: '+', update: '~', delete: '-', unchanged: ' ', conflict: '!' };

export function describeStep({ name, action, fields }: SyncStep): string {
  return `${marks[action]} ${name}${fields.length > 0 && action !== 'create' ? ` (${fields.join(', ')})` : ''}${action === 'conflict' ? ' conflict' : ''}\n`;
}
