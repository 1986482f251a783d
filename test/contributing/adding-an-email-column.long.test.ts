import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { createApp } from '../../src/app/create-app.js';
import { changedCopy, listedFiles, readChange, typeErrors } from './changed-copy.js';

/** The example of CONTRIBUTING.md, applied to a copy of the sources: it compiles, works, and touches few files. */

const FILES_MAX = 6;
/** A limit for a busy machine: the type check takes 7 s of processor time. */
const TYPE_CHECK_MS = 300_000;
const { patches, files } = readChange('add-an-email-column.diff');

let copy: ReturnType<typeof changedCopy>;
beforeAll(() => {
  copy = changedCopy(['src', 'package.json', 'tsconfig.json'], patches);
});
afterAll(() => copy.remove());

it(`touches at most ${FILES_MAX} source files, those that CONTRIBUTING.md lists`, () => {
  const listed = listedFiles('Add a column to emails');

  expect(files.length).toBeLessThanOrEqual(FILES_MAX);
  expect([...files].sort()).toEqual(listed.sort());
});

it(
  'compiles without a change elsewhere',
  () => {
    const roots = [
      'src/core/handlers/service/handlers.ts',
      'src/storage/sqlite/store.ts',
      'src/storage/postgres/store.ts',
      'src/sql.d.ts',
    ];

    expect(typeErrors(copy.path, roots)).toEqual([]);
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
