import { type Dirent, existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Args, Flags } from '@oclif/core';
import type { TemplateSource } from '../../contract/service/render-template.js';
import type { Variables } from '../../contract/service/variables.js';
import { nearestName } from '../../contract/vocabulary/nearest-name.js';
import { CommandError, UsageError } from '../errors/exit-codes.js';
import { assertDirectoryPath, describeFileError, refuseSpecialFile } from '../errors/fs-errors.js';
import { parseObject } from '../flags/values/json-input.js';
import { readText } from '../process/files.js';
import type { TemplateCompiler } from './sources/compiler.js';
import { codeOf, SOURCE_FILES, type TemplateCode } from './sources/find-code.js';

/** The directory of templates that commands use unless another is named. */
const DEFAULT_DIRECTORY = 'templates';

/** The arguments of commands for template files. With `strict = false`, the last one is repeatable. */
export const templateArgs = {
  directory: Args.string({
    description: 'Directory that contains the template directories.',
    default: DEFAULT_DIRECTORY,
  }),
  name: Args.string({ description: 'Name of a template; repeatable (default: all).', ignoreStdin: true }),
};

/** The flag of commands that compile sources of templates. */
export const codeFlag = {
  'allow-code': Flags.boolean({
    description: 'Run the compilers and commands of templates in this directory, now and later.',
  }),
};

/** A template as files: `template.json` with its name and subject, `body.html`, `body.txt`, `sample.json`. */
export interface TemplateFiles extends TemplateSource {
  directory: string;
  name: string;
  /** What the HTML was compiled from; undefined for body.html. */
  code: TemplateCode | undefined;
  /** The sample data; null without a file. */
  sample: Variables | null;
}

/**
 * Returns the directory for a name or a path: the path itself, or the directory of that name in `templates/`. Undefined
 * when neither exists.
 */
export function findTemplateDir(name: string, cwd: string): string | undefined {
  const candidates = [resolve(cwd, name), resolve(cwd, 'templates', name)];
  return candidates.find((directory) => existsSync(directory) && statSync(directory).isDirectory());
}

/**
 * Returns the names of the template directories in a directory; empty when it does not exist.
 * @throws CommandError if it cannot be read.
 */
export function templatesIn(directory: string): string[] {
  if (!existsSync(directory)) return [];
  return entriesOf(directory)
    .map(({ name }) => name)
    .filter((name) => existsSync(join(directory, name, 'template.json')));
}

/** Files that only templates have. A directory with one of them is a template, whatever it lacks. */
const OF_TEMPLATE = new Set(['template.json', 'body.html', ...Object.keys(SOURCE_FILES)]);

/**
 * Returns the directories of templates in a directory, by name, with their files. A link to one is not followed.
 * @throws CommandError if one of them cannot be read.
 */
export function templateFolders(directory: string): { id: string; files: string[] }[] {
  return entriesOf(directory)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ id: name, files: entriesOf(join(directory, name)).map((file) => file.name) }))
    .filter(({ files }) => files.some((file) => OF_TEMPLATE.has(file)))
    .sort((a, b) => a.id.localeCompare(b.id));
}

/** @throws CommandError if the directory cannot be read. */
export function entriesOf(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    throw new CommandError(`Cannot read ${directory}: ${describeFileError(error)}.`, 'Check the directory.');
  }
}

/** Returns the path of a directory. @throws UsageError when it does not exist. */
export function existingDirectory(path: string, cwd: string): string {
  const directory = resolve(cwd, path);
  assertDirectoryPath(directory);
  if (existsSync(directory) && statSync(directory).isDirectory()) return directory;
  const isTemplate = existsSync(join(cwd, 'templates', path, 'template.json'));
  const advice = isTemplate
    ? `Did you mean "templates ${path}"? The directory comes before the template.`
    : 'Check the path. It is relative to the working directory.';
  throw new UsageError(`Directory ${directory} not found.`, advice);
}

/**
 * @throws UsageError when a directory has no template directories, so that it probably is the wrong one; CommandError when
 * one of them cannot be read.
 */
export function requireTemplates(directory: string): void {
  if (templatesIn(directory).length > 0) return;
  // A template may be one that cannot be read.
  templateFolders(directory);
  const advice = existsSync(join(directory, 'template.json'))
    ? `It is a template itself. Name the directory above it: ${dirname(directory)}`
    : 'Create a template with "svc templates init", or name another directory.';
  throw new UsageError(`${directory} does not contain any templates.`, advice);
}

const FIELDS = ['name', 'subject', 'command'];

/**
 * Reads a template with a sample, or without one for null, and compiles its source if it has no body.html.
 * @throws UsageError for a file that cannot be used; else as `compile` does.
 */
export async function readTemplateDir(
  directory: string,
  compiler: Pick<TemplateCompiler, 'compile'>,
  sample: string | null = 'sample.json',
): Promise<TemplateFiles> {
  const manifestText = await readTemplateFile(join(directory, 'template.json'));
  const manifest = parseObject(manifestText, join(directory, 'template.json'));
  for (const key of Object.keys(manifest)) {
    if (FIELDS.includes(key)) continue;
    const nearest = nearestName(key, FIELDS);
    throw new UsageError(
      `${join(directory, 'template.json')}: unknown field ${key}${nearest ? `; did you mean ${nearest}?` : '.'}`,
    );
  }
  const { name, subject } = manifest;
  if (typeof name !== 'string' || !name)
    throw new UsageError(`${join(directory, 'template.json')}: name must be a string.`);
  if (typeof subject !== 'string' || !subject)
    throw new UsageError(`${join(directory, 'template.json')}: subject must be a string.`);
  const code = codeOf(directory, manifestText, manifest.command);
  const textFile = join(directory, 'body.txt');
  const sampleFile = sample === null ? undefined : join(directory, sample);
  const htmlFile = join(directory, 'body.html');
  if (!code && !existsSync(htmlFile)) {
    const names = Object.keys(SOURCE_FILES).join(', ');
    throw new UsageError(
      `${directory} has no HTML.`,
      `Add body.html, or a source: ${names}, or "command" in template.json.`,
    );
  }
  return {
    directory,
    name,
    subject,
    code,
    html: code ? await compiler.compile(code) : await readTemplateFile(htmlFile),
    text: existsSync(textFile) ? await readTemplateFile(textFile) : '',
    sample: sampleFile !== undefined && existsSync(sampleFile) ? await readSample(sampleFile) : null,
  };
}

/** Reads a file with sample data. @throws UsageError if it is not a file with a JSON object. */
export async function readSample(file: string): Promise<Variables> {
  return parseObject(await readTemplateFile(file), file);
}

const SAMPLE = /^sample(?:\.[^.]+)?\.json$/;

/** Returns the files with sample data, without their ending in order, so that `sample.json` is the first. */
export function samplesIn(files: readonly string[]): string[] {
  const stem = (file: string) => file.slice(0, -'.json'.length);
  return files.filter((file) => SAMPLE.test(file)).sort((a, b) => stem(a).localeCompare(stem(b)));
}

async function readTemplateFile(file: string): Promise<string> {
  refuseSpecialFile(file);
  return readText(undefined, file);
}
