import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TemplateSource } from '../contract/render.js';
import type { Target } from './target.js';

/** What was alike on both sides when they last were: kept beside the templates, for the next sync to tell who changed what. */

const SYNC_FILE = '.svc-sync.json';
/** The local server is one, on whatever port it runs, and whether it runs. */
const LOCAL = 'local';

/** By server, by template's name, the digest of what both sides had. */
type SyncRecord = Record<string, Record<string, string>>;

export interface SyncedContent extends TemplateSource {
  name: string;
}

/** What a record calls the server. */
export function syncServer({ kind, baseUrl }: Pick<Target, 'kind' | 'baseUrl'>): string {
  return kind === 'remote' ? baseUrl : LOCAL;
}

export function digestOf({ subject, html, text }: TemplateSource): string {
  return createHash('sha256')
    .update(JSON.stringify([subject, html, text]))
    .digest('hex');
}

/** Digests by name; none when nothing was synced with the server, or what is there cannot be read. */
export function readSynced(directory: string, server: string): Record<string, string> {
  return readRecord(directory)[server] ?? {};
}

/** Notes that both sides have this content. */
export function noteAlike(directory: string, server: string, content: SyncedContent): void {
  note(directory, server, content.name, digestOf(content));
}

/** Notes that neither side has the template any more. */
export function noteGone(directory: string, server: string, name: string): void {
  note(directory, server, name, undefined);
}

/** At once, so that a sync which is cut short leaves a true record. */
function note(directory: string, server: string, name: string, digest: string | undefined): void {
  const record = readRecord(directory);
  if (record[server]?.[name] === digest) return;
  // What is undefined is left out of JSON.
  const next = { ...record, [server]: { ...record[server], [name]: digest } };
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, SYNC_FILE), `${JSON.stringify(next, null, 2)}\n`);
}

function readRecord(directory: string): SyncRecord {
  try {
    return JSON.parse(readFileSync(join(directory, SYNC_FILE), 'utf8')) as SyncRecord;
  } catch {
    return {};
  }
}
