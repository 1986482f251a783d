/**
 * Runs a benchmark: `node bench/run.js smtp`. It bundles the benchmark, which is TypeScript. It measures dist/ as
 * built.
 */
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const [name] = process.argv.slice(2);
const outfile = fileURLToPath(new URL(`../node_modules/.cache/svc-bench/${name}.js`, import.meta.url));
await build({
  entryPoints: [fileURLToPath(new URL(`${name}.ts`, import.meta.url))],
  outfile,
  bundle: true,
  packages: 'external',
  loader: { '.sql': 'text' },
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  logLevel: 'warning',
});
const { main } = await import(outfile);
await main(fileURLToPath(new URL('..', import.meta.url)));
