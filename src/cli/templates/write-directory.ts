import { cpSync, existsSync, lstatSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Template } from '../../contract/service/templates.js';
import { trimOf } from '../../contract/vocabulary/text.js';
import { CommandError } from '../errors/exit-codes.js';
import { describeFileError } from '../errors/fs-errors.js';
import { makeDirectory, writeFileAtomically } from '../process/files.js';

/** Writes templates as directories: templates of a server, and starter templates. */

const MANIFEST = 'template.json';
const HTML = 'body.html';
const TEXT = 'body.txt';

/**
 * Writes a template of the server. An existing sample.json is kept. Symbolic links are replaced, not followed.
 * @throws CommandError when it cannot be written, or the directory itself is a link.
 */
export function writeTemplateDir(directory: string, { name, subject, html, text }: Template): void {
  if (isLink(directory)) {
    throw new CommandError(
      `${directory} is a symbolic link, and templates are not written through links.`,
      'Replace it with a directory.',
    );
  }
  try {
    makeDirectory(directory);
    writeFileAtomically(join(directory, MANIFEST), `${JSON.stringify({ name, subject }, null, 2)}\n`);
    writeFileAtomically(join(directory, HTML), html);
    if (text || existsSync(join(directory, TEXT))) writeFileAtomically(join(directory, TEXT), text);
  } catch (error) {
    throw unwritable(directory, error);
  }
}

/** Returns a function that gives the files of a template back the content that they have now. */
export function templateBackup(directory: string): () => void {
  const existed = existsSync(directory);
  const files = [MANIFEST, HTML, TEXT].map((name) => join(directory, name));
  const contents = files.map((file) => (existsSync(file) ? readFileSync(file) : undefined));
  return () => {
    if (!existed) return rmSync(directory, { recursive: true, force: true });
    for (const [index, file] of files.entries()) {
      const content = contents[index];
      if (content === undefined) rmSync(file, { force: true });
      else writeFileSync(file, content);
    }
  };
}

/** Writes a starter template of svc. @throws CommandError when it cannot be written. */
export function copyStarter(starter: string, directory: string): void {
  try {
    makeDirectory(directory);
    cpSync(starter, directory, { recursive: true, filter: (path) => !path.endsWith('expected') });
  } catch (error) {
    throw unwritable(directory, error);
  }
}

function unwritable(directory: string, error: unknown): CommandError {
  return new CommandError(`Cannot write ${directory}: ${describeFileError(error)}.`, 'Choose another directory.');
}

/** File systems have names of at most 255 bytes. The rest is for a number that distinguishes equal names. */
const NAME_BYTES_MAX = 240;
/** Names of devices on Windows, also with an extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** Returns a directory name for a template: characters that file systems may refuse become dashes. */
export function directoryName(name: string): string {
  // A character that is cut in two becomes one that is replaced as well.
  const start = Buffer.from(name.normalize('NFC')).subarray(0, NAME_BYTES_MAX).toString();
  const kept = trimOf(start.replace(/[^\p{L}\p{N}._-]+/gu, '-'), '.-') || 'template';
  return DEVICE.test(kept) ? `template-${kept}` : kept;
}

/**
 * Returns a function that maps each name to a directory in `parent` that no other template uses: `a-b`, then `a-b-2`.
 */
export function freeDirectoryNames(parent: string): (name: string) => string {
  const given = new Set<string>();
  return (name) => {
    const wanted = directoryName(name);
    for (let count = 1; ; count += 1) {
      const candidate = count === 1 ? wanted : `${wanted}-${count}`;
      // Compare as file systems do that ignore case and accents.
      const key = candidate.normalize('NFC').toLowerCase();
      if (given.has(key) || isTaken(join(parent, candidate))) continue;
      given.add(key);
      return candidate;
    }
  };
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** Returns whether writing a template there would overwrite a file or follow a link. */
function isTaken(path: string): boolean {
  if (isLink(path)) return true;
  if (!existsSync(path)) return false;
  return !statSync(path).isDirectory() || [MANIFEST, HTML, TEXT].some((file) => existsSync(join(path, file)));
}
