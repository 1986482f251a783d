import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { nearestName } from '../contract/nearest-name.js';
import type { TemplateSource } from '../contract/render.js';
import type { Variables } from '../contract/variables.js';
import { CommandError, UsageError } from './exit-codes.js';
import { readText } from './input.js';

/** A template as files: `template.json` with its name and subject, `body.html`, `body.txt`, `sample.json`. */
export interface TemplateFiles extends TemplateSource {
  directory: string;
  name: string;
  /** What sample.json holds; null when there is none. */
  sample: Variables | null;
}

/** The directory that a name or a path means: itself, or the one of that name under `templates/`. */
export function findTemplateDir(name: string, cwd: string): string {
  const candidates = [resolve(cwd, name), resolve(cwd, 'templates', name)];
  const found = candidates.find((directory) => existsSync(directory) && statSync(directory).isDirectory());
  if (found) return found;
  throw new CommandError(
    `There is no template directory ${JSON.stringify(name)}, neither here nor under templates/.`,
    'A template is a directory with template.json, body.html and, if you like, body.txt and sample.json.',
  );
}

/** @throws UsageError when there is no such directory. */
export function existingDirectory(path: string, cwd: string): string {
  const directory = resolve(cwd, path);
  if (existsSync(directory) && statSync(directory).isDirectory()) return directory;
  throw new UsageError(`There is no directory ${directory}.`);
}

export async function readTemplateDir(directory: string): Promise<TemplateFiles> {
  const manifest = await readJsonObject(join(directory, 'template.json'));
  for (const key of Object.keys(manifest)) {
    if (key === 'name' || key === 'subject') continue;
    const nearest = nearestName(key, ['name', 'subject']);
    throw new UsageError(
      `${join(directory, 'template.json')}: unknown field ${key}${nearest ? `; did you mean ${nearest}?` : '.'}`,
    );
  }
  const { name, subject } = manifest;
  if (typeof name !== 'string' || !name)
    throw new UsageError(`${join(directory, 'template.json')}: name must be a string.`);
  if (typeof subject !== 'string' || !subject)
    throw new UsageError(`${join(directory, 'template.json')}: subject must be a string.`);
  const textFile = join(directory, 'body.txt');
  const sampleFile = join(directory, 'sample.json');
  return {
    directory,
    name,
    subject,
    html: await readText('template', join(directory, 'body.html')),
    text: existsSync(textFile) ? await readText('template', textFile) : '',
    sample: existsSync(sampleFile) ? await readJsonObject(sampleFile) : null,
  };
}

/** Variables from `name=value` flags. */
export function readVariableFlags(flags: readonly string[]): Variables {
  return Object.fromEntries(
    flags.map((flag) => {
      const at = flag.indexOf('=');
      if (at < 1) throw new UsageError(`--var must read name=value, not ${JSON.stringify(flag)}.`);
      return [flag.slice(0, at), flag.slice(at + 1)];
    }),
  );
}

/** Reads a file of variables, or stdin for `-`. */
export async function readVariablesFile(path: string): Promise<Variables> {
  return parseObject(await readText('--vars', path), path);
}

async function readJsonObject(file: string): Promise<Record<string, unknown>> {
  return parseObject(await readText('template', file), file);
}

function parseObject(text: string, source: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${source} is not JSON: ${(error as Error).message}.`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new UsageError(`${source} must hold a JSON object.`);
}
