/** Merges the scripts of the first view into one file: a browser has six connections, and each request costs time. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { build, version } from 'esbuild';

const FIRST = 'inbox';
/**
 * Makes V8 compile all functions of the script in the background, while it is loaded. Otherwise it compiles each one
 * when it is called, which takes a third of the first view's time. Other engines ignore the comment.
 */
const COMPILE_ALL = '//# allFunctionsCalledOnLoad\n';

/**
 * Takes the scripts of a build: by name their `text` and the names of their `exports`. Those in `first`, of which the
 * first is the entry, become one. What is loaded later imports from that one, so that every module exists once.
 * Returns the new scripts by name, and the name of the merged one.
 */
export async function mergeFirstView(scripts, first) {
  // A change of any script changes the name of the merged one, which all others contain; so does a change of the merge.
  const hash = createHash('sha256')
    .update(`${version} ${readFileSync(new URL(import.meta.url))} ${[...scripts.keys()].sort()}`)
    .digest('hex')
    .slice(0, 8);
  const later = [...scripts.keys()].filter((name) => !first.includes(name));
  const renamed = (name) => name.replace(/(?=\.js$)/, `-${hash}`);
  const merged = `${FIRST}-${hash}.js`;
  const { outputFiles } = await build({
    entryPoints: [FIRST, ...later].map((name) => ({
      in: name,
      out: (name === FIRST ? merged : renamed(name)).slice(0, -'.js'.length),
    })),
    outdir: '/',
    bundle: true,
    format: 'esm',
    target: 'esnext',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    write: false,
    plugins: [fromScripts({ scripts, first, merged, renamed })],
  });
  const contentsOf = ({ path, contents }) =>
    path === `/${merged}` ? Buffer.concat([Buffer.from(COMPILE_ALL), contents]) : contents;
  return { merged, scripts: new Map(outputFiles.map((file) => [file.path.slice(1), contentsOf(file)])) };
}

function fromScripts({ scripts, first, merged, renamed }) {
  /** The name that an export of a merged script has in the merged one. */
  const names = (script) => scripts.get(script).exports.map((name) => [name, `${name}_${first.indexOf(script)}`]);
  const exported = (script) => names(script).map(([name, unique]) => `${name} as ${unique}`);
  const imported = (script) => names(script).map(([name, unique]) => `${unique} as ${name}`);
  return {
    name: 'from-scripts',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /.*/ }, ({ path, kind, namespace, pluginData }) => {
        if (kind === 'entry-point') return { path, namespace: path === FIRST ? 'first' : 'script' };
        const script = path.replace('./', '');
        if (script === merged) return { path, external: true };
        if (!first.includes(script)) return { path: `./${renamed(script)}`, external: true };
        const isFirst = namespace === 'first' || pluginData === 'first';
        return { path: script, namespace: isFirst ? 'script' : 'merged', pluginData: isFirst ? 'first' : undefined };
      });
      onLoad({ filter: /.*/, namespace: 'first' }, () => ({
        contents: [...first.slice(1).map((script) => `export { ${exported(script)} } from './${script}';`)]
          .concat(`import './${first[0]}';`)
          .join('\n'),
      }));
      onLoad({ filter: /.*/, namespace: 'script' }, ({ path, pluginData }) => ({
        contents: scripts.get(path).text,
        pluginData,
      }));
      onLoad({ filter: /.*/, namespace: 'merged' }, ({ path }) => ({
        contents: `export { ${imported(path)} } from './${merged}';`,
      }));
    },
  };
}
