import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './binary.js';

/** Finds out what the built command line loads. */

/** Returns every file of `dist` that is loaded with a command, before it runs. */
export function filesLoadedBy(command: string): string[] {
  const loaded = new Set<string>();
  const visit = (file: string) => {
    if (loaded.has(file)) return;
    loaded.add(file);
    const text = readFileSync(file, 'utf8');
    // An import() is compiled to a require in a then().
    for (const [, target] of text.matchAll(/(?<!then\(\(\)=>__toESM\()require\("(\.[^"]+)"/g)) {
      visit(join(file, '..', target!));
    }
  };
  visit(join(ROOT, 'dist/main.js'));
  visit(join(ROOT, `dist/commands/${command}.js`));
  return [...loaded];
}

/**
 * Returns those of the files that are the terminal's library. @throws Error when no file of the build is: its marker
 * words have changed.
 */
export function terminalLibraryAmong(files: readonly string[]): string[] {
  const chunks = join(ROOT, 'dist/chunks');
  const isLibrary = (file: string) => /react\.element|loadYoga/.test(readFileSync(file, 'utf8'));
  if (!readdirSync(chunks).some((name) => isLibrary(join(chunks, name)))) {
    throw new Error('no chunk of dist is known for the terminal’s library');
  }
  return files.filter(isLibrary);
}
