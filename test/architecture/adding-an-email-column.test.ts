import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { applyPatch, parsePatch } from 'diff';
import { build } from 'esbuild';
import ts from 'typescript';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { createApp } from '../../src/app/create-app.js';
import { temporaryDirectory } from '../support/cli/binary.js';

/** The example of CONTRIBUTING.md, applied to a copy of the sources: it compiles, works, and touches few files. */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FILES_MAX = 5;
/** A limit for a busy machine: the type check takes 7 s of processor time. */
const TYPE_CHECK_MS = 300_000;
const patches = parsePatch(readFileSync(join(ROOT, 'test/fixtures/changes/add-an-email-column.diff'), 'utf8'));
const files = patches.map(({ newFileName = '' }) => newFileName);

let copy: ReturnType<typeof temporaryDirectory>;
beforeAll(() => {
  copy = temporaryDirectory();
  for (const name of ['src', 'package.json', 'tsconfig.json']) {
    cpSync(join(ROOT, name), join(copy.path, name), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy.path, 'node_modules'));
  for (const patch of patches) {
    const file = join(copy.path, patch.newFileName ?? '');
    const patched = applyPatch(readFileSync(file, 'utf8'), patch);
    if (patched === false) throw new Error(`the example does not apply to ${patch.newFileName}: update its diff`);
    writeFileSync(file, patched);
  }
});
afterAll(() => copy.remove());

it(`touches at most ${FILES_MAX} source files, those that CONTRIBUTING.md lists`, () => {
  const section = /## Add a column to emails\n(.*?)\n## /s.exec(
    readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8'),
  )?.[1];
  const listed = Array.from(section?.matchAll(/^\| `(src\/[^`]+)`/gm) ?? [], ([, file]) => file);

  expect(files.length).toBeLessThanOrEqual(FILES_MAX);
  expect([...files].sort()).toEqual(listed.sort());
});

it(
  'compiles without a change elsewhere',
  () => {
    const { config } = ts.readConfigFile(join(copy.path, 'tsconfig.json'), ts.sys.readFile);
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, copy.path);
    const roots = ['src/core/handlers.ts', 'src/storage/sqlite/store.ts', 'src/sql.d.ts'];
    const program = ts.createProgram({ rootNames: roots.map((root) => join(copy.path, root)), options });

    const problems = ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText);

    expect(problems).toEqual([]);
  },
  TYPE_CHECK_MS,
);

it('stores the column and returns it', async () => {
  const { outputFiles } = await build({
    entryPoints: [join(copy.path, 'src/app/create-app.ts')],
    bundle: true,
    packages: 'external',
    loader: { '.sql': 'text' },
    platform: 'node',
    format: 'esm',
    write: false,
  });
  const bundle = join(copy.path, 'app.mjs');
  writeFileSync(bundle, outputFiles[0]?.text ?? '');
  const patched: { createApp: typeof createApp } = await import(/* @vite-ignore */ pathToFileURL(bundle).href);
  const app = await patched.createApp({
    storage: 'memory',
    dataDir: null,
    apiKey: 'svc_test_key',
    webhookSecret: 'whsec_example',
    checkResponses: true,
  });
  const call = async (method: 'GET' | 'POST', url: string, payload?: object) => {
    const headers = { host: 'localhost', authorization: 'Bearer svc_test_key' };
    return (await app.http.inject({ method, url, headers, ...(payload && { payload }) })).json().data;
  };
  const email = { from: 'a@example.test', to: 'b@example.test', subject: 'Hi', html: '<p>Hi</p>' };

  const { id } = await call('POST', '/v1/emails', { ...email, language: 'en' });
  const { id: without } = await call('POST', '/v1/emails', email);

  expect((await call('GET', `/v1/emails/${id}`)).language).toBe('en');
  expect((await call('GET', `/v1/emails/${without}`)).language).toBeNull();
  await app.close();
});
