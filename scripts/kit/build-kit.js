/** Builds the entry points `svc-cli/client` and `svc-cli/testing`, which applications import, with their types. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build, transform } from 'esbuild';
import { declarationsOf } from './declarations.js';
import { operationTypes } from './operation-types.js';

/** The names in dist/testing/ of each entry point. */
const PUBLIC = {
  client: 'src/client/index.ts',
  index: 'src/testing/index.ts',
  matchers: 'src/testing/matchers/index.ts',
  vitest: 'src/testing/vitest.ts',
  jest: 'src/testing/jest.ts',
  playwright: 'src/testing/playwright.ts',
};
const INTERNAL = { thread: 'src/testing/server/thread.ts' };

/**
 * Builds into `dist`, and returns the inputs of the bundles, as esbuild lists them. The modules are CommonJS, which
 * applications can import and require. Only that for vitest is an ES module, because vitest cannot be required.
 */
export async function buildKit({ root, dist, name, common }) {
  const { metafile, outputFiles } = await build({
    ...common,
    absWorkingDir: root,
    entryPoints: Object.entries({ ...PUBLIC, ...INTERNAL }).map(([out, source]) => ({ in: source, out })),
    outdir: `${name}/testing`,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    write: false,
    metafile: true,
    external: ['vitest', '@playwright/test', 'playwright-core', '@jest/globals'],
  });
  for (const { path, text } of outputFiles) {
    if (path.endsWith('vitest.js')) write(path.replace(/js$/, 'mjs'), text);
    else write(path, await asCommonJs(text, common));
  }
  const replaced = { 'src/client/operations.ts': await operationTypes(root) };
  for (const [file, text] of declarationsOf(root, Object.values(PUBLIC), replaced)) {
    write(join(dist, 'testing/types', file), text);
  }
  return metafile.inputs;
}

async function asCommonJs(text, common) {
  const { code } = await transform(text, {
    ...common,
    format: 'cjs',
    // jest runs no import() without a flag of Node.js.
    supported: { 'dynamic-import': false },
    banner: '"use strict";',
    define: { 'import.meta.dirname': '__dirname' },
  });
  return code;
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
