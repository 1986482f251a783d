/** Builds dist/: the command line and the server, bundled, so that a command loads a few files and not a few hundred. */
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

const root = fileURLToPath(new URL('..', import.meta.url));
/** Built beside what is there and moved into its place, so that what runs meanwhile finds it whole. */
const name = `dist.${process.pid}`;
const dist = join(root, name);

const commands = readdirSync(join(root, 'commands'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)));

/** React and ink choose what they load by NODE_ENV and DEV, which are the user's own: here it is what ships. */
const inProduction = {
  name: 'in-production',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]node_modules[\\/](react|react-reconciler|scheduler|ink)[\\/].*\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8')
        .replaceAll('process.env.NODE_ENV', '"production"')
        .replaceAll('isDev()', 'false'),
      loader: 'js',
    }));
  },
};

/**
 * oclif without what a manifest makes needless: the search for command files, plugins by pattern, and a sort by the rules of
 * the user's language, which loads the tables of all languages (8 ms) to put ASCII names in order.
 */
const leanOclif = {
  name: 'lean-oclif',
  setup({ onLoad, onResolve }) {
    onLoad({ filter: /[\\/]@oclif[\\/]core[\\/]lib[\\/]config[\\/]plugin\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace('a.id.localeCompare(b.id)', '(a.id < b.id ? -1 : 1)'),
      loader: 'js',
    }));
    onResolve({ filter: /^(tinyglobby|minimatch)$/ }, ({ path, importer }) =>
      /[\\/]@oclif[\\/]core[\\/]/.test(importer) ? { path, namespace: 'left-out' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'left-out' }, ({ path }) => ({
      contents: `module.exports = new Proxy({}, { get() { throw new Error('${path} is not in the bundle'); } });`,
      loader: 'js',
    }));
  },
};

/** ink's layout engine as CommonJS can have it: it knows no waiting at the top level of a module, and no `import.meta.url`. */
const layoutEngine = {
  name: 'layout-engine',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^yoga-layout$/ }, () => ({ path: join(root, 'src/cli/ui/layout-engine.ts') }));
    onLoad({ filter: /[\\/]yoga-wasm-base64-esm\.js$/ }, ({ path }) => ({
      // Where its WebAssembly would be, were it not in the file itself.
      contents: readFileSync(path, 'utf8').replace('import.meta.url', 'undefined'),
      loader: 'js',
    }));
  },
};

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
  plugins: [inProduction, leanOclif, layoutEngine],
  // Compiled for each machine, so it cannot be in the bundle; the others are only there to load TypeScript sources.
  external: ['better-sqlite3', 'typescript', 'ts-node', 'tsx'],
});

await writeModules();
copyDocs();
const manifest = await readManifest();
writeLicenses(metafile);
moveIntoPlace(manifest);

/**
 * The bundle's modules as CommonJS, and the loader of them: V8's compiled code of an ES module cannot be kept in Node 20, and
 * esbuild splits ES modules alone.
 */
async function writeModules() {
  const hash = createHash('sha256');
  for (const { path, text } of outputFiles) {
    const { code, warnings } = await transform(text, {
      ...common,
      format: 'cjs',
      // As ES modules are.
      banner: '"use strict";',
      define: { 'import.meta.dirname': '__dirname' },
      supported: { 'dynamic-import': false },
    });
    if (warnings.length > 0) throw new Error(`${path} is not right in CommonJS`);
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

/** The API reference's viewer, which is served as it is. */
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

/** oclif's manifest: names, flags and help of every command, so that none is loaded but the one that runs. */
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

/** The licences of what is bundled, which ask to be passed on with it. */
function writeLicenses({ inputs }) {
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
  writeFileSync(join(dist, 'THIRD_PARTY_LICENSES'), texts.join(`\n${'-'.repeat(80)}\n\n`));
}
