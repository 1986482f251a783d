/** Packs the small modules of the bundle into one file: a command with a server loads about a hundred of them. */

/** Characters of a small module. The larger ones are few, and many commands do not need them. */
const SMALL = 16_000;

/**
 * Returns the names of the modules to pack. Those that the entry point `first` loads stay files, so that `--version`
 * does not read the pack. `modules` is their code by name, and `importsOf` returns the names that a module imports.
 */
export function namesToPack(modules, importsOf, first) {
  const early = new Set();
  const visit = (name) => {
    if (early.has(name)) return;
    early.add(name);
    importsOf(name).forEach(visit);
  };
  visit(first);
  const isPacked = ([name, code]) => name.startsWith('chunks/') && code.length < SMALL && !early.has(name);
  return [...modules].filter(isPacked).map(([name]) => name);
}

/** Returns an expression: an object with a function for each module, as Node wraps modules. */
export function packOf(names, modules) {
  const functions = names.map(
    (name) => `${JSON.stringify(name)}:function(exports,require,module,__filename,__dirname){${modules.get(name)}\n}`,
  );
  return `({${functions.join(',\n')}})`;
}
