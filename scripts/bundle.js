/** Writes dist/. The command line and the server are bundled, so that a command loads a few files instead of a few hundred. */
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
import { lazyShapes } from './lazy-shapes.js';
import { libraryPlugins } from './libraries.js';
import { namesToPack, packOf } from './pack.js';
import { BUILT_FROM, digestOfSources } from './sources.js';
import { buildWeb } from './web/build-web.js';

const root = fileURLToPath(new URL('..', import.meta.url));
/** The new build, which replaces dist/ when it is complete, so that a command that runs meanwhile finds all files. */
const name = `dist.${process.pid}`;
const dist = join(root, name);
/** Taken first: a file that changes during the build needs another one. */
const sources = digestOfSources(root);

const commands = readdirSync(join(root, 'commands'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)));

/**
 * Builds the libraries for production, whatever NODE_ENV the user has: otherwise React would load its slow build, and
 * oclif would look for TypeScript sources.
 */
const define = { 'process.env.NODE_ENV': '"production"' };

const common = {
  platform: 'node',
  target: 'node20.19',
  // The image is built without tsconfig.json.
  jsx: 'automatic',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
};

/** Bytes that a browser receives before it shows the list: at most. */
const FIRST_VIEW_MAX = 150_000;
/** Of those, the headers of all responses, the session, the counts, and 50 emails, with some reserve. */
const FIRST_VIEW_DATA = 11_000;

console.error('Building svc …');
process.once('exit', () => rmSync(dist, { recursive: true, force: true }));
const { metafile, outputFiles } = await build({
  ...common,
  absWorkingDir: root,
  entryPoints: [
    { in: 'src/cli/main.ts', out: 'main' },
    { in: 'src/cli/help.ts', out: 'help' },
    { in: 'src/mime/worker/main.ts', out: 'worker' },
    { in: 'src/cli/templates/sources/compiler-main.ts', out: 'compiler' },
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
  plugins: [...libraryPlugins(root), lazyShapes],
  // better-sqlite3 is compiled for each machine, and Playwright is the user's. oclif imports the other packages only to
  // load TypeScript sources.
  external: ['better-sqlite3', 'playwright-core', 'typescript', 'ts-node', 'tsx'],
});

const packed = await writeModules();
copyDocs();
const web = await buildWeb({ root, dist });
const kitInputs = await buildKit({ root, dist, name, common });
const manifest = await readManifest();
for (const module of packed) rmSync(join(dist, module));
writeLicenses({ ...metafile.inputs, ...kitInputs, ...web.inputs });
checkFirstView(web.firstViewBytes);
writeFileSync(join(dist, BUILT_FROM), sources);
moveIntoPlace(manifest);

/** @throws Error if a browser would receive more than the first view may have. */
function checkFirstView(fileBytes) {
  const [files, all, limit] = [fileBytes, fileBytes + FIRST_VIEW_DATA, FIRST_VIEW_MAX].map(
    (bytes) => `${(bytes / 1_000).toFixed(1)} kB`,
  );
  const report = `First view of the inbox: ${files} after gzip, ${all} with data and headers`;
  if (fileBytes + FIRST_VIEW_DATA > FIRST_VIEW_MAX) throw new Error(`${report}. The limit is ${limit}.`);
  console.error(report);
}

/**
 * Writes the bundle's modules, the small ones also in one file, and their loader. Returns the names of the small ones,
 * whose own files are needed only until the manifest is read.
 */
async function writeModules() {
  const modules = await commonJsModules();
  const imports = new Map(
    Object.entries(metafile.outputs).map(([path, output]) => [
      relative(name, path),
      output.imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => relative(name, path)),
    ]),
  );
  const packed = namesToPack(modules, (module) => imports.get(module) ?? [], 'main.js');
  const files = new Map(modules).set('pack.js', packOf(packed, modules));
  for (const [file, code] of files) {
    mkdirSync(dirname(join(dist, file)), { recursive: true });
    writeFileSync(join(dist, file), code);
  }
  writeFileSync(join(dist, 'package.json'), '{"type":"commonjs"}\n');
  const hash = createHash('sha256').update(JSON.stringify([...files]));
  await build({
    ...common,
    absWorkingDir: root,
    entryPoints: ['src/cli/loader/loader.ts'],
    outfile: join(dist, 'loader.js'),
    bundle: true,
    format: 'cjs',
    define: { BUILD: JSON.stringify(hash.digest('hex').slice(0, 16)), PACKED: JSON.stringify(packed) },
  });
  return packed;
}

/**
 * Returns the code of the bundle's modules as CommonJS, by name. In Node 20, V8's compiled code cannot be cached for ES
 * modules, but esbuild splits only ES modules.
 */
async function commonJsModules() {
  const modules = new Map();
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
    modules.set(relative(dist, path), code);
  }
  return modules;
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

/** Replaces the manifest and dist/, in this order: dist/ has the digest of what both were built from. */
function moveIntoPlace(manifest) {
  const place = join(root, 'dist');
  const old = join(root, `${name}.old`);
  writeFileSync(join(dist, 'manifest'), manifest);
  renameSync(join(dist, 'manifest'), join(root, 'oclif.manifest.json'));
  if (existsSync(place)) renameSync(place, old);
  renameSync(dist, place);
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
