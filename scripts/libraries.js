/** Changes bundled libraries: replaces texts in their sources, and leaves out what they do not need here. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Replacements in library sources: the file, the text to replace, and its replacement. */
const replacements = [
  // With DEV=true, ink would import its development tools with a top-level await, which CommonJS does not support.
  [/[\\/]node_modules[\\/]ink[\\/].*\.js$/, 'isDev()', 'false'],
  // A sort by the rules of the user's language loads the tables of all languages (8 ms), only to sort ASCII names.
  [/[\\/]@oclif[\\/]core[\\/]lib[\\/]config[\\/]plugin\.js$/, 'a.id.localeCompare(b.id)', '(a.id < b.id ? -1 : 1)'],
  // Finding out whether Linux runs on Windows takes 1 ms, and nothing here depends on it.
  [/[\\/]@oclif[\\/]core[\\/]lib[\\/]util[\\/]os\.js$/, "(await import('wsl-utils')).isWsl ? 'wsl' : ", ''],
  // Loads a parser of version ranges (5 ms), and then fails: the package.json that it reads is not in the bundle.
  [/[\\/]@oclif[\\/]core[\\/]lib[\\/]index\.js$/, '\ncheckNodeVersion();', '\n'],
  // One character that is not ASCII makes V8 store a whole file with two bytes for each.
  [/[\\/]ansis[\\/]index\.js$/, '\u009b', '\\x9b'],
  // oclif throws errors of stdout; src/cli/main.ts reports them in one line instead.
  [/[\\/]@oclif[\\/]core[\\/]lib[\\/]command\.js$/, "process.stdout.on('error', (err) => {", 'void ((err) => {'],
  // Only plugins that name a version of fastify need the parser of version ranges (3 ms). None here does.
  [
    /[\\/]fastify[\\/]lib[\\/]plugin-utils\.js$/,
    "const semver = require('semver')",
    "const semver = { satisfies: (...given) => require('semver').satisfies(...given) }",
  ],
  // Loading HTTP/2, which the server does not offer, takes 2 ms of each start.
  [/[\\/]fastify[\\/]lib[\\/]server\.js$/, "const http2 = require('node:http2')", 'const http2 = undefined'],
  // The router compiles a function for each part of its paths, which takes 4 ms of each start.
  [
    /[\\/]find-my-way[\\/]lib[\\/]node\.js$/,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholder is one of the replaced text
    "new Function('path', 'i', `'use strict'\\nreturn ${lines.join(' && ')}`)",
    '(path, i) => path.startsWith(prefix, i)',
  ],
  // The same for each path with parameters.
  [
    /[\\/]find-my-way[\\/]lib[\\/]handler-storage\.js$/,
    "return new Function('NullObject', fnBody.join('\\n'))(NullObject)",
    `return (param0, param1, param2, param3, extraParams) => {
      const given = [param0, param1, param2, param3];
      const object = new NullObject();
      for (let i = 0; i < params.length; i++) object[params[i]] = i < 4 ? given[i] : extraParams[i - 4];
      return object;
    }`,
  ],
  // CommonJS has no import.meta.url. The layout engine does not need it: its WebAssembly is in the file itself.
  [/[\\/]yoga-wasm-base64-esm\.js$/, 'import.meta.url', 'undefined'],
];

/** Fails the build when a text to replace is missing: an update of the library may have moved the code. */
const inLibraries = {
  name: 'in-libraries',
  setup({ onLoad, onEnd }) {
    for (const [filter, there, instead] of replacements) {
      let found = false;
      onLoad({ filter }, ({ path }) => {
        const contents = readFileSync(path, 'utf8');
        found ||= contents.includes(there);
        return { contents: contents.replaceAll(there, instead), loader: 'js' };
      });
      onEnd(() => (found ? undefined : { errors: [{ text: `Nothing to replace: ${there} in ${filter}` }] }));
    }
  },
};

/** Libraries that others import and that are not needed here, by their importer. */
const unneeded = [
  // With a manifest, oclif does not search for command files, and plugins by pattern are disabled.
  [/[\\/]@oclif[\\/]core[\\/]/, ['tinyglobby', 'minimatch']],
  // Routes have no JSON schemas, and fastify logs nothing.
  [/[\\/]fastify[\\/]/, ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'pino']],
];

const leftOut = {
  name: 'left-out',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^[^.]/ }, ({ path, importer }) =>
      unneeded.some(([where, names]) => where.test(importer) && names.includes(path))
        ? { path, namespace: 'left-out' }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'left-out' }, ({ path }) => ({
      contents: `module.exports = new Proxy({}, { get() { throw new Error('${path} is not in the bundle'); } });`,
      loader: 'js',
    }));
  },
};

/** Replaces ink's layout engine with a version for CommonJS, which has no top-level await. */
const layoutEngine = (root) => ({
  name: 'layout-engine',
  setup({ onResolve }) {
    onResolve({ filter: /^yoga-layout$/ }, () => ({ path: join(root, 'src/cli/terminal/ink/layout-engine.ts') }));
  },
});

/** Returns esbuild's plugins. `root` is the directory of the package. */
export function libraryPlugins(root) {
  return [inLibraries, leftOut, layoutEngine(root)];
}
