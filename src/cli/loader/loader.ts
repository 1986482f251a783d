import { readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { CodeCache } from './code-cache.js';

/** A hash of the bundle, which the build inserts here. */
declare const BUILD: string;

/** Names of the modules in `pack.js`, which the build inserts here. */
declare const PACKED: readonly string[];

type Module = { exports: unknown };

/** The texts before and after a module's code, as Node wraps modules. */
const MODULE_FUNCTION: [string, string] = ['(function(exports,require,module,__filename,__dirname){', '\n})'];
type ModuleFunction = (
  exports: unknown,
  require: NodeJS.Require,
  module: Module,
  filename: string,
  dirname: string,
) => void;

/**
 * Loads the bundle's CommonJS modules as `require` does, with code that V8 compiled in an earlier run. Without it,
 * compiling takes most of the time that a command adds to the start of Node. Node's own `module.enableCompileCache()`
 * needs Node 22, and takes 8 % more time for a command that works in-process.
 */
class Loader {
  readonly #modules = new Map<string, Module>();
  #pack: Record<string, ModuleFunction> | undefined;

  constructor(
    private readonly root: string,
    private readonly cache: CodeCache,
    private readonly outside: NodeJS.Require,
  ) {}

  /** Returns the module's exports, which are incomplete while it is being loaded. @throws the module's own errors. */
  load(file: string): unknown {
    const known = this.#modules.get(file);
    if (known) return known.exports;
    const run = this.#functionOf(file);
    const module: Module = { exports: {} };
    this.#modules.set(file, module);
    try {
      run.call(module.exports, module.exports, this.#requireFor(file), module, file, dirname(file));
    } catch (error) {
      this.#modules.delete(file);
      throw error;
    }
    return module.exports;
  }

  #functionOf(file: string): ModuleFunction {
    const name = relative(this.root, file).replaceAll(sep, '/');
    const packed = PACKED.includes(name) ? this.#openPack()[name] : undefined;
    return packed ?? this.#evaluate(file, MODULE_FUNCTION);
  }

  #openPack(): Record<string, ModuleFunction> {
    this.#pack ??= this.#evaluate<Record<string, ModuleFunction>>(join(this.root, 'pack.js'));
    return this.#pack;
  }

  /** Runs a file's code between the two texts, and returns its value. */
  #evaluate<T>(file: string, [before, after] = ['', '']): T {
    const bytes = readFileSync(file);
    const name = relative(this.root, file).replaceAll(sep, '-');
    // Joined as bytes: V8 would copy strings that are joined once more.
    const source = Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)]).toString();
    return this.cache.compile(file, name, { source, bytes }).runInThisContext();
  }

  #requireFor(file: string): NodeJS.Require {
    const own = (id: string) => {
      if (/^\.\.?\//.test(id)) return this.load(join(dirname(file), id));
      // oclif passes a command's file by its full path.
      return id.startsWith(this.root + sep) && id.endsWith('.js') ? this.load(id) : this.outside(id);
    };
    const { resolve, cache, main, extensions } = this.outside;
    return Object.assign(own, { resolve, cache, main, extensions });
  }
}

/**
 * Opens the bundle in `root`. `outside` loads modules that are not part of it. Returns a function that loads a module
 * by its path without `.js`. New compiled code is cached when the process exits. `command` names what runs, because
 * each command adds the functions that it calls.
 */
export async function openBundle(
  root: string,
  outside: NodeJS.Require,
  command: string = commandOf(process.argv.slice(2)),
): Promise<(name: string) => unknown> {
  const cache = new CodeCache(await cacheDirectory(), command);
  process.once('exit', () => cache.keep());
  const loader = new Loader(root, cache, outside);
  return (name) => loader.load(join(root, `${name}.js`));
}

/** Returns the name of the command: at most two words, which may also be arguments. */
function commandOf(args: string[]): string {
  const flag = args.findIndex((arg) => arg.startsWith('-'));
  return args.slice(0, Math.min(2, flag < 0 ? args.length : flag)).join(' ');
}

async function cacheDirectory(): Promise<string | undefined> {
  try {
    return (await import('./cache-directory.js')).findCacheDirectory(BUILD, process.env);
  } catch {
    // The user has no home directory.
    return undefined;
  }
}
