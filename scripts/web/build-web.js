/** Builds dist/web: the inbox as files with the hash of their content in their names, each also compressed. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'esbuild';
import { mergeFirstView } from './merge-first-view.js';

/** The server replaces the first part with its base path. */
const ASSETS = '{{base}}/inbox/assets';
const COMPRESSED = /\.(?:js|css|svg|html)$/;

const common = {
  entryNames: '[name]-[hash]',
  bundle: true,
  platform: 'browser',
  // Browsers with `light-dark()` in style sheets.
  target: ['es2022', 'chrome123', 'firefox121', 'safari17.5'],
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
  write: false,
};

/** Returns the inputs of the bundle, for the list of licences, and the bytes of the first view after gzip. */
export async function buildWeb({ root, dist }) {
  const source = join(root, 'src/web');
  const out = join(dist, 'web');
  const { metafile, outputFiles } = await build({
    ...common,
    absWorkingDir: root,
    entryPoints: [{ in: 'inbox', out: 'inbox' }],
    outdir: join(out, 'assets'),
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    splitting: true,
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    metafile: true,
    plugins: [allStyles(source)],
  });
  const shown = firstView(root, metafile);
  const { merged, scripts } = await mergeFirstView(scriptsOf(metafile, outputFiles), shown.scripts);
  const style = outputFiles.find(({ path }) => path.endsWith(shown.style));
  const others = outputFiles.filter(({ path }) => !/\.(?:css|js)$/.test(path));
  const start = await startScript(source, out);
  const preview = await templatePreview(source, out);
  const files = [start, style, ...others, ...preview.files].concat(
    Array.from(scripts, ([name, contents]) => ({ path: join(out, 'assets', name), contents })),
  );
  const assets = { start: nameOf(start.path), script: merged, style: shown.style };
  const page = pageOf(readFileSync(join(source, 'index.html'), 'utf8'), assets);
  mkdirSync(join(out, 'assets'), { recursive: true });
  const written = [{ path: join(out, 'index.html'), contents: Buffer.from(page) }, ...files];
  const sizes = new Map(await Promise.all(written.map(async (file) => [relative(out, file.path), await write(file)])));
  const first = ['index.html', ...Object.values(assets).map((name) => `assets/${name}`)];
  return {
    inputs: { ...metafile.inputs, ...preview.inputs },
    firstViewBytes: first.reduce((sum, name) => sum + sizes.get(name), 0),
  };
}

/** Returns the page of `svc templates dev` with its files. It is built by itself, so that the inbox stays as small. */
async function templatePreview(source, out) {
  const { metafile, outputFiles } = await build({
    ...common,
    entryPoints: [{ in: join(source, 'template-preview/main.tsx'), out: 'templates' }],
    outdir: join(out, 'assets'),
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    metafile: true,
  });
  const named = (end) => nameOf(outputFiles.find(({ path }) => path.endsWith(end)).path);
  const tags = [
    `<link rel="stylesheet" href="${ASSETS}/${named('.css')}">`,
    `<script type="module" src="${ASSETS}/${named('.js')}"></script>`,
  ];
  const template = readFileSync(join(source, 'template-preview/index.html'), 'utf8');
  const page = template.replace('<!-- assets -->', () => tags.join('\n'));
  return {
    inputs: metafile.inputs,
    files: [...outputFiles, { path: join(out, 'templates.html'), contents: Buffer.from(page) }],
  };
}

/** Returns the script that runs before the main one. It shares no code with it, so that it needs no other file. */
async function startScript(source, out) {
  const entryPoints = [join(source, 'start/start.ts')];
  const { outputFiles } = await build({ ...common, entryPoints, outdir: join(out, 'assets'), format: 'iife' });
  return outputFiles[0];
}

/**
 * Puts every style sheet into the one of the page. A part of the page that is loaded later would have its own, which
 * nothing would load.
 */
function allStyles(source) {
  const sheets = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.css') && !name.startsWith('template-preview'))
    .map((name) => `./${name.replaceAll('\\', '/')}`)
    .sort();
  const first = sheets.filter((name) => name.startsWith('./styles/'));
  const others = sheets.filter((name) => !name.startsWith('./styles/'));
  return {
    name: 'all-styles',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^inbox$/ }, () => ({ path: 'inbox', namespace: 'entry' }));
      onLoad({ filter: /.*/, namespace: 'entry' }, () => ({
        contents: [...first, './main.tsx', ...others].map((name) => `import '${name}';`).join('\n'),
        resolveDir: source,
      }));
    },
  };
}

const nameOf = (path) => path.slice(path.lastIndexOf('/') + 1);

/** Returns the scripts by name. */
function scriptsOf({ outputs }, outputFiles) {
  const texts = new Map(outputFiles.map(({ path, text }) => [nameOf(path), text]));
  const scripts = Object.entries(outputs).filter(([path]) => path.endsWith('.js'));
  return new Map(scripts.map(([path, { exports }]) => [nameOf(path), { text: texts.get(nameOf(path)), exports }]));
}

/** Returns the names of the files that the page loads at once: its entry, what the entry imports, and its styles. */
function firstView(root, { outputs }) {
  const [entry] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === 'entry:inbox');
  const scripts = new Set([entry]);
  for (const path of scripts) {
    for (const { path: imported, kind } of outputs[path].imports) {
      if (kind === 'import-statement') scripts.add(imported);
    }
  }
  if (!outputs[entry].cssBundle) throw new Error(`${relative(root, entry)} has no style sheet`);
  return { scripts: [...scripts].map(nameOf), style: nameOf(outputs[entry].cssBundle) };
}

/**
 * Names the assets in the page. A script that is `async` does not wait for style sheets. The one of the page follows its
 * first shape, which would otherwise wait for it.
 */
function pageOf(template, { start, script, style }) {
  const scripts = [
    `<script async src="${ASSETS}/${start}"></script>`,
    `<script type="module" src="${ASSETS}/${script}"></script>`,
  ];
  return template
    .replace('<!-- scripts -->', () => scripts.join('\n'))
    .replace(/<!-- styles.*-->/, () => `<link rel="stylesheet" href="${ASSETS}/${style}">`);
}

/** Writes a file with its compressed forms. Returns its size after gzip. */
async function write({ path, contents }) {
  writeFileSync(path, contents);
  if (!COMPRESSED.test(path)) return contents.length;
  const zipped = await promisify(gzip)(contents, { level: 9 });
  const smaller = await promisify(brotliCompress)(contents, {
    params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
  });
  writeFileSync(`${path}.gz`, zipped);
  writeFileSync(`${path}.br`, smaller);
  return zipped.length;
}
