import { existsSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import type { RenderedTemplate } from '../../contract/service/templates.js';
import { CommandError, UsageError } from '../errors/exit-codes.js';
import { describeFileError } from '../errors/fs-errors.js';
import { makeDirectory, writeFileAtomically } from '../process/files.js';
import { TEMPLATE_FILES } from './render.js';

/** Decides which files `templates render -o` writes. */

type Part = keyof RenderedTemplate;

const FILE_OF: Record<Part, string> = { subject: 'subject.txt', html: 'body.html', text: 'body.txt' };
const PART_OF_EXTENSION: Record<string, Part | 'all'> = {
  '.html': 'html',
  '.htm': 'html',
  '.txt': 'text',
  '.json': 'all',
};

/** The files of a rendering. */
export type OutputPlan = {
  path: string;
  part: Part | 'all';
  /** Whether the user named this file, which may then be a link or a device. Otherwise the user named its directory. */
  isNamed: boolean;
}[];

/**
 * Plans one part for a file, or all three for a directory. Without a part, a name that ends in .html, .txt or .json is
 * a file, and any other name is a directory.
 * @throws UsageError when a template's own file would be overwritten.
 */
export function planOutput(output: string, part: Part | undefined, templateDir: string | undefined): OutputPlan {
  const path = resolve(output);
  const isDirectory = /[\\/]$/.test(output) || (existsSync(path) && statSync(path).isDirectory());
  const known = part ?? PART_OF_EXTENSION[extname(path).toLowerCase()];
  const plan: OutputPlan =
    known !== undefined && !isDirectory
      ? [{ path, part: known, isNamed: true }]
      : (Object.keys(FILE_OF) as Part[])
          .filter((each) => part === undefined || part === each)
          .map((each) => ({ path: join(path, FILE_OF[each]), part: each, isNamed: false }));
  const overwritten = plan.find(
    (file) => dirname(file.path) === templateDir && TEMPLATE_FILES.includes(basename(file.path)),
  );
  if (overwritten) throw new UsageError(`-o would overwrite the template’s source file ${basename(overwritten.path)}.`);
  return plan;
}

export function writeOutput(plan: OutputPlan, rendered: RenderedTemplate): void {
  for (const { path, part, isNamed } of plan) {
    const text = part === 'all' ? `${JSON.stringify(rendered, null, 2)}\n` : rendered[part];
    try {
      makeDirectory(dirname(path));
      if (isNamed) writeFileSync(path, text);
      else writeFileAtomically(path, text);
    } catch (error) {
      throw new CommandError(`Cannot write ${path}: ${describeFileError(error)}.`);
    }
  }
}
