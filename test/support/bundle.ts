import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './binary.js';

/** What the built command line loads. */

/** Every file of `dist` that is loaded with a command, before it runs. */
export function filesLoadedBy(command: string): string[] {
  const loaded = new Set<string>();
  const visit = (file: string) => {
    if (loaded.has(file)) return;
    loaded.add(file);
    const text = readFileSync(file, 'utf8');
    // An import() is left as a require in a then().
    for (const [, target] of text.matchAll(/(?<!then\(\(\)=>__toESM\()require\("(\.[^"]+)"/g)) {
      visit(join(file, '..', target!));
    }
  };
  visit(join(ROOT, 'dist/main.js'));
  visit(join(ROOT, `dist/commands/${command}.js`));
  return [...loaded];
}

export function isTerminalLibrary(file: string): boolean {
  return /react\.element|loadYoga/.test(readFileSync(file, 'utf8'));
}
