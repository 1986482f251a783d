import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterEach, beforeEach, expect, it } from 'vitest';
// @ts-expect-error The build's scripts have no types.
import { lazyShapes } from '../../../scripts/lazy-shapes.js';

/** Tests that the build delays the construction of the fields of schemas, and does not change what they accept. */

const SOURCE = `
import * as z from 'zod';
export const constructed: string[] = [];
const text = (name: string) => (constructed.push(name), z.string());
const Inner = z.object({ deep: text('deep') });
export const Outer = z.object({ 'quoted-name': text('quoted'), inner: Inner }).extend({ more: text('more').optional() });
`;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('constructs the fields of an object once, when the first value is parsed', async () => {
  const { constructed, Outer } = await bundled();
  const value = { 'quoted-name': 'a', inner: { deep: 'b' }, more: 'c' };

  expect(constructed).toEqual([]);
  expect(Outer.parse(value)).toEqual(value);
  expect(Outer.safeParse({ ...value, inner: {} }).success).toBe(false);
  expect(constructed.toSorted()).toEqual(['deep', 'more', 'quoted']);
});

async function bundled() {
  const source = join(folder, 'src/contract/example.ts');
  mkdirSync(join(folder, 'src/contract'), { recursive: true });
  writeFileSync(source, SOURCE);
  const outfile = join(folder, 'example.mjs');
  const nodePaths = [join(import.meta.dirname, '../../../node_modules')];
  await build({ entryPoints: [source], outfile, nodePaths, bundle: true, format: 'esm', plugins: [lazyShapes] });
  return import(pathToFileURL(outfile).href);
}
