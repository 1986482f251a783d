/** Builds dist/. The command line and the server are bundled, so that a command loads a few files instead of a few hundred. */
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import { buildKit } from './kit/build-kit.js';
import { buildWeb } from './web/build-web.js';

const root = fileURLToPath(new URL('..', import.meta.url));
/** The new build, which replaces dist/ when it is complete, so that a command that runs meanwhile finds all files. */
const name = `dist.${process.pid}`;
const dist = join(root, name);

const commands = readdirSync(join(root, 'commands'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)));

/** Replacements in library sources: the file, the text to replace, and its replacement. */
const replacements = [
  // With DEV=true, ink would import its development tools with a top-level await, which CommonJS does not support.
  [/[\\/]node_modules[\\/]ink[\\/].*\.js$/, 'isDev()', 'false'],
  // A sort by the rules of the user's language loads the tables of all languages (8 ms), only to sort ASCII names.
  [/[\\/]@oclif[\\/]core[\\/]lib[\\/]config[\\/]plugin\.js$/, 'a.id.localeCompare(b.id)', '(a.id < b.id ? -1 : 1)'],
  // oclif throws errors of stdout; src/cli/errors/stdout-errors.ts reports them in one line instead.
  [/[\\/]@oclif[\\/]core[\\/]lib[\\/]command\.js$/, "process.stdout.on('error', (err) => {", 'void ((err) => {'],
  // The router compiles a function for each part of its paths, which takes 4 ms of each start.
  [
    /[\\/]find-my-way[\\/]lib[\\/]node\.js$/,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholder is one of the replaced text
    "new Function('path', 'i', `'use strict'\\nreturn ${lines.join(' && ')}`)",
    '(path, i) => path.startsWith(prefix, i)',
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

/** Leaves out what oclif does not need with a manifest: the search for command files, and plugins by pattern. */
const leanOclif = {
  name: 'lean-oclif',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^(tinyglobby|minimatch)$/ }, ({ path, importer }) =>
      /[\\/]@oclif[\\/]core[\\/]/.test(importer) ? { path, namespace: 'left-out' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'left-out' }, ({ path }) => ({
      contents: `module.exports = new Proxy({}, { get() { throw new Error('${path} is not in the bundle'); } });`,
      loader: 'js',
    }));
  },
};

/** Replaces ink's layout engine with a version for CommonJS, which has no top-level await. */
const layoutEngine = {
  name: 'layout-engine',
  setup({ onResolve }) {
    onResolve({ filter: /^yoga-layout$/ }, () => ({ path: join(root, 'src/cli/terminal/ink/layout-engine.ts') }));
  },
};

/**
 * Builds the libraries for production, whatever NODE_ENV the user has: otherwise React would load its slow build, and
 * oclif would look for TypeScript sources.
 */
const define = { 'process.env.NODE_ENV': '"production"' };

const common = {
  platform: 'node',
  target: 'node20.19',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
};

process.once('exit', () => rmSync(dist, { recursive: true, force: true }));
const { metafile, outputFiles } = await build({
  ...common,
  absWorkingDir: root,
  entryPoints: [
    { in: 'src/cli/main.ts', out: 'main' },
    { in: 'src/cli/help.ts', out: 'help' },
    { in: 'src/mime/worker/main.ts', out: 'worker' },
    { in: 'src/testing/server/run-server.ts', out: 'testing-server' },
    ...commands.map((file) => ({ in: file, out: file.replace(/\.tsx?$/, '') })),
  ],
  outdir: name,
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  write: false,
  metafile: true,
  loader: { '.sql': 'text', '.bash': 'text', '.zsh': 'text', '.fish': 'text' },
  define,
  // oclif's starter for development assigns to NODE_ENV. Nothing here calls it.
  logOverride: { 'assign-to-define': 'silent' },
  plugins: [inLibraries, leanOclif, layoutEngine],
  // better-sqlite3 is compiled for each machine. oclif imports the other packages only to load TypeScript sources.
  external: ['better-sqlite3', 'typescript', 'ts-node', 'tsx'],
});

await writeModules();
copyDocs();
const web = await buildWeb({ root, dist });
const kitInputs = await buildKit({ root, dist, name, common });
const manifest = await readManifest();
writeLicenses({ ...metafile.inputs, ...kitInputs, ...web.inputs });
moveIntoPlace(manifest);
console.error(`First view of the inbox: ${(web.firstViewBytes / 1_000).toFixed(1)} kB after gzip`);

/**
 * Writes the bundle's modules as CommonJS, and their loader. In Node 20, V8's compiled code cannot be cached for ES
 * modules, but esbuild splits only ES modules.
 */
async function writeModules() {
  const hash = createHash('sha256');
  for (const { path, text } of outputFiles) {
    const { code, warnings } = await transform(text, {
      ...common,
      format: 'cjs',
      // ES modules are strict.
      banner: '"use strict";',
      define: { 'import.meta.dirname': '__dirname' },
      supported: { 'dynamic-import': false },
    });
    if (warnings.length > 0) throw new Error(`${path} cannot be converted to CommonJS`);
    hash.update(`${relative(dist, path)}\n${code}`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, code);
  }
  writeFileSync(join(dist, 'package.json'), '{"type":"commonjs"}\n');
  await build({
    ...common,
    absWorkingDir: root,
    entryPoints: ['src/cli/loader/loader.ts'],
    outfile: join(dist, 'loader.js'),
    bundle: true,
    format: 'cjs',
    define: { BUILD: JSON.stringify(hash.digest('hex').slice(0, 16)) },
  });
}

/** Copies the viewer of the API reference, which is served unchanged. */
function copyDocs() {
  mkdirSync(join(dist, 'docs'));
  for (const file of [
    'swagger-ui.css',
    'swagger-ui-bundle.js',
    'swagger-ui-bundle.js.LICENSE.txt',
    'LICENSE',
    'NOTICE',
  ]) {
    copyFileSync(join(root, 'node_modules/swagger-ui-dist', file), join(dist, 'docs', file));
  }
}

/** Returns oclif's manifest: names, flags and help of every command, so that oclif loads only the command that runs. */
async function readManifest() {
  const { Plugin } = await import('@oclif/core');
  const pjson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const oclif = { ...pjson.oclif, commands: `./${name}/commands` };
  const plugin = new Plugin({ ignoreManifest: true, errorOnManifestCreate: true, root, pjson: { ...pjson, oclif } });
  await plugin.load();
  const { manifest } = plugin;
  for (const command of Object.values(manifest.commands)) {
    command.relativePath = command.relativePath.map((part) => (part === name ? 'dist' : part));
  }
  return JSON.stringify(manifest);
}

function moveIntoPlace(manifest) {
  const place = join(root, 'dist');
  const old = join(root, `${name}.old`);
  const manifestFile = join(root, 'oclif.manifest.json');
  writeFileSync(join(dist, 'manifest'), manifest);
  if (existsSync(place)) renameSync(place, old);
  renameSync(dist, place);
  renameSync(join(place, 'manifest'), manifestFile);
  rmSync(old, { recursive: true, force: true });
}

/** Writes the licences of the bundled packages, which require it. */
function writeLicenses(inputs) {
  const packages = new Set();
  for (const input of Object.keys(inputs)) {
    const [, directory] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input) ?? [];
    if (directory) packages.add(directory);
  }
  const texts = [...packages].sort().map((directory) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, directory, 'package.json'), 'utf8'));
    const file = readdirSync(join(root, directory)).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
    const text = file ? readFileSync(join(root, directory, file), 'utf8').trim() : `Licence: ${license}`;
    return `${name} ${version}\n\n${text}\n`;
  });
  const data = readFileSync(join(root, 'src/mime/checks/support/LICENSE-caniemail.txt'), 'utf8').trim();
  texts.push(`Data of caniemail.com\n\n${data}\n`);
  writeFileSync(join(dist, 'THIRD_PARTY_LICENSES'), texts.join(`\n${'-'.repeat(80)}\n\n`));
}
