import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { applyPatch, parsePatch } from 'diff';
import ts from 'typescript';
import { ROOT, temporaryDirectory } from '../support/cli/binary.js';

/** Applies an example of CONTRIBUTING.md to a copy of the sources. */

type Patch = ReturnType<typeof parsePatch>[number];

/** Reads a diff of test/fixtures/changes. `files` are the paths that it touches. */
export function readChange(name: string): { patches: Patch[]; files: string[] } {
  const patches = parsePatch(readFileSync(join(ROOT, 'test/fixtures/changes', name), 'utf8'));
  return { patches, files: patches.map(({ newFileName = '' }) => newFileName) };
}

/** Copies the given files and folders, and applies the patches to the copy. */
export function changedCopy(parts: readonly string[], patches: readonly Patch[]): { path: string; remove(): void } {
  const copy = temporaryDirectory();
  for (const part of parts) cpSync(join(ROOT, part), join(copy.path, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy.path, 'node_modules'));
  for (const patch of patches) {
    const file = join(copy.path, patch.newFileName ?? '');
    const before = patch.oldFileName === '/dev/null' ? '' : readFileSync(file, 'utf8');
    const patched = applyPatch(before, patch);
    if (patched === false) throw new Error(`the example does not apply to ${patch.newFileName}: update its diff`);
    writeFileSync(file, patched);
  }
  return copy;
}

/** Returns the paths in the first column of the table below a heading of CONTRIBUTING.md. */
export function listedFiles(heading: string): string[] {
  return Array.from(sectionOf(heading).matchAll(/^\| `([^`]+)`/gm), ([, file = '']) => file);
}

/** Returns the paths that begin the items of the list below a heading of CONTRIBUTING.md. */
export function listedPlaces(heading: string): string[] {
  return Array.from(sectionOf(heading).matchAll(/^- `([^`]+)`/gm), ([, file = '']) => file);
}

function sectionOf(heading: string): string {
  const sections = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8').split(/^## /m);
  return sections.find((text) => text.startsWith(`${heading}\n`)) ?? '';
}

/** Type-checks a part of the files that the roots reach in a copy: all of them take twice as long. */
export function typeErrors(copy: string, roots: readonly string[], isChecked: (file: string) => boolean): unknown[] {
  const { config } = ts.readConfigFile(join(copy, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, copy);
  const program = ts.createProgram({ rootNames: roots.map((root) => join(copy, root)), options });
  const checked = program.getSourceFiles().filter(({ fileName }) => isChecked(relative(copy, fileName)));
  if (checked.length <= roots.length) throw new Error('no file besides the roots was checked');
  return checked.flatMap((file) => program.getSemanticDiagnostics(file)).map(({ messageText }) => messageText);
}
