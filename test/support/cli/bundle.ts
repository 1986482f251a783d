import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { ROOT } from './binary.js';

/** Lists the files that the built command line loads. */

/** Returns every file of `dist` that is loaded together with a command, before it runs. */
export function filesLoadedBy(command: string): string[] {
  const loaded = new Set<string>();
  const modules = packedModules();
  const visit = (file: string) => {
    if (loaded.has(file)) return;
    loaded.add(file);
    const text = modules.get(file) ?? readFileSync(file, 'utf8');
    // An import() is compiled to a require in a then().
    for (const [, target] of text.matchAll(/(?<!then\(\(\)=>__toESM\()require\("(\.[^"]+)"/g)) {
      visit(join(file, '..', target!));
    }
  };
  visit(join(ROOT, 'dist/main.js'));
  visit(join(ROOT, `dist/commands/${command}.js`));
  return [...loaded].filter((file) => !modules.has(file));
}

/** Returns the code of the small modules, which are in one file, by the path that each would have. */
function packedModules(): ReadonlyMap<string, string> {
  const pack: Record<string, () => void> = runInThisContext(readFileSync(join(ROOT, 'dist/pack.js'), 'utf8'));
  return new Map(Object.entries(pack).map(([name, run]) => [join(ROOT, 'dist', name), run.toString()]));
}

/** Records the files of `dist` that processes load, at the start and while they run. Pass `env` to the processes. */
export function traceLoads(directory: string): { env: Record<string, string>; files(): string[] } {
  const trace = join(directory, 'loads.txt');
  const preload = join(ROOT, 'test/support/cli/trace-loads.cjs');
  return {
    env: { NODE_OPTIONS: `--require ${JSON.stringify(preload)}`, TRACE_LOADS: trace },
    files: () => readFileSync(trace, 'utf8').trim().split('\n'),
  };
}

/** Returns the files that contain the terminal's library. @throws Error when no file of the build does. */
export function terminalLibraryAmong(files: readonly string[]): string[] {
  return libraryAmong(files, 'the terminal’s library', /react\.element|loadYoga/);
}

/** Returns the files that contain the schema library. @throws Error when no file of the build does. */
export function schemaLibraryAmong(files: readonly string[]): string[] {
  return libraryAmong(files, 'the schema library', /"ZodError"/);
}

function libraryAmong(files: readonly string[], name: string, words: RegExp): string[] {
  const chunks = join(ROOT, 'dist/chunks');
  const isLibrary = (file: string) => words.test(readFileSync(file, 'utf8'));
  // Without this check, a change of the library's texts would make every test pass.
  if (!readdirSync(chunks).some((chunk) => isLibrary(join(chunks, chunk)))) {
    throw new Error(`no chunk of dist is known for ${name}`);
  }
  return files.filter(isLibrary);
}
