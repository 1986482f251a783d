import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Links the installed packages of a project into a copy of it. The copy keeps its own package `except`. */
export function linkModules(project, copy, except) {
  const [source, target] = [project, copy].map((each) => join(each, 'node_modules'));
  mkdirSync(target, { recursive: true });
  for (const name of readdirSync(target)) {
    if (name !== except) rmSync(join(target, name), { recursive: true });
  }
  for (const name of readdirSync(source)) {
    const isPackage = name === '.bin' || !name.startsWith('.');
    if (isPackage && name !== except) symlinkSync(join(source, name), join(target, name));
  }
}
