import { closeSync, constants, existsSync, fstatSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describeIssue } from '../../../contract/issues.js';
import { CreateTemplate } from '../../../contract/service/templates.js';
import { MEBIBYTE, REQUEST_BODY_BYTES } from '../../../contract/vocabulary/limits.js';
import { CommandError, UsageError } from '../../errors/exit-codes.js';
import { describeFileError } from '../../errors/fs-errors.js';
import { existingDirectory, requireTemplates, type TemplateFiles } from '../../templates/directory.js';
import { readTemplateDirs } from '../../templates/sync.js';
import { NO_DATA, readSeedFile, type SeedData } from './seed-file.js';

/** What a server contains from its start. */
export interface Seed extends SeedData {
  templates: TemplateFiles[];
  /** Paths of messages, in the order of their names. */
  messages: string[];
}

const TEMPLATES = 'templates';
const MAIL = 'mail';
const FILE = 'seed.json';

/**
 * Reads a directory with any of templates/, mail/*.eml and seed.json, and checks everything.
 * @throws UsageError or CommandError that names the file and what is wrong with it.
 */
export async function readSeed(path: string): Promise<Seed> {
  const directory = seedDirectory(path);
  const named = (name: string) => join(directory, name);
  const found = [TEMPLATES, MAIL, FILE].filter((name) => existsSync(named(name)));
  if (found.length === 0) {
    throw new UsageError(`--seed: ${directory} has neither ${TEMPLATES}/ nor ${MAIL}/ nor ${FILE}.`);
  }
  return {
    ...(found.includes(FILE) ? readSeedFile(named(FILE)) : NO_DATA),
    templates: found.includes(TEMPLATES) ? await readTemplates(named(TEMPLATES)) : [],
    messages: found.includes(MAIL) ? messagesIn(named(MAIL)) : [],
  };
}

function seedDirectory(path: string): string {
  try {
    return existingDirectory(path, process.cwd());
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`--seed: ${error.message}`);
    throw error;
  }
}

async function readTemplates(directory: string): Promise<TemplateFiles[]> {
  requireTemplates(existingDirectory(directory, '/'));
  const templates = [...(await readTemplateDirs(directory)).values()];
  for (const { directory: folder, name, subject, html, text } of templates) {
    const { error } = CreateTemplate.safeParse({ name, subject, html, text }, { error: describeIssue });
    const [issue] = error?.issues ?? [];
    if (!issue) continue;
    const field = String(issue.path[0]);
    const file = join(folder, { html: 'body.html', text: 'body.txt' }[field] ?? 'template.json');
    throw new CommandError(`${file}: ${field} ${issue.message}.`);
  }
  return templates;
}

function messagesIn(directory: string): string[] {
  const names = readdirSync(existingDirectory(directory, '/')).filter((name) => /\.eml$/i.test(name));
  if (names.length === 0) throw new CommandError(`${directory} does not contain any .eml files.`);
  const files = names.sort().map((name) => join(directory, name));
  for (const file of files) checkMessage(file);
  return files;
}

function checkMessage(file: string): void {
  let handle: number | undefined;
  try {
    // Opening a pipe would otherwise wait for a writer.
    handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(handle);
    if (!stats.isFile()) throw new CommandError(`${file} is not a file.`);
    if (stats.size === 0) throw new CommandError(`${file} is empty.`);
    if (stats.size > REQUEST_BODY_BYTES)
      throw new CommandError(`${file} is larger than ${REQUEST_BODY_BYTES / MEBIBYTE} MiB.`);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`Cannot read ${file}: ${describeFileError(error)}.`);
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
