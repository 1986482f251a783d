import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DevServer, startDev, svc } from '../support/cli/binary.js';
import { data } from '../support/servers/server-calls.js';
import { changedCopy, listedFiles, listedPlaces, readChange, typeErrors } from './changed-copy.js';

/** The examples of CONTRIBUTING.md, applied to one copy of the sources: they compile, work, and touch few files. */

/** Tables with an entry for each endpoint, which the compiler demands. */
const TABLES = ['src/contract/openapi/examples.ts', 'src/contract/vocabulary/routes.ts'];
/** Edited files of sources, docs and tests together. */
const PLACES_MAX = 8;
const endpoint = readChange('add-an-endpoint.diff');
const column = readChange('add-an-email-column.diff');
/** From these, the compiler reaches the handlers and both engines. */
const ROOTS = [
  'src/core/handlers/service/handlers.ts',
  'src/storage/sqlite/store.ts',
  'src/storage/postgres/store.ts',
  'src/sql.d.ts',
];
/** A limit for a busy machine: the type check takes 20 s of processor time. */
const TYPE_CHECK_MS = 300_000;

let copy: ReturnType<typeof changedCopy>;
let binary: string;
let server: DevServer;
beforeAll(async () => {
  const parts = ['bin', 'commands', 'scripts', 'src', 'templates', 'package.json', 'tsconfig.json'];
  copy = changedCopy(parts, [...endpoint.patches, ...column.patches]);
  binary = join(copy.path, 'bin/run.js');
  execFileSync(process.execPath, [join(copy.path, 'scripts/build.js')], { cwd: copy.path });
  server = await startDev(['--in-memory'], { binary });
});
afterAll(async () => {
  await server?.stop();
  copy.remove();
});

it.each([
  ['an endpoint', 3 + TABLES.length, endpoint.files, 'Files of a new endpoint'],
  ['a column', 7, column.files, 'Add a column to emails'],
])('%s touches at most %i source files, those that CONTRIBUTING.md lists', (_, most, files, heading) => {
  expect(files.length).toBeLessThanOrEqual(most);
  expect([...files].sort()).toEqual(listedFiles(heading).sort());
});

it(`an endpoint takes at most ${PLACES_MAX} edits with docs and tests, which CONTRIBUTING.md lists`, () => {
  const listed = listedPlaces('Files of a new endpoint');

  expect(listed.length).toBeGreaterThan(0);
  expect([...endpoint.files, ...listed].length).toBeLessThanOrEqual(PLACES_MAX);
});

it(
  'both compile with the contract, the core and the storage',
  () => {
    // The files that the endpoint touches are those that it could break. A column could break all of these folders.
    const isChecked = (file: string) => endpoint.files.includes(file) || /^src\/(contract|core|storage)\//.test(file);
    expect(typeErrors(copy.path, [...endpoint.files, ...ROOTS], isChecked)).toEqual([]);
  },
  TYPE_CHECK_MS,
);

it('the server stores the column and returns it', async () => {
  const send = async (more: object) => {
    const email = { from: 'a@example.test', to: 'b@example.test', subject: 'Hi', html: '<p>Hi</p>', ...more };
    const headers = { 'content-type': 'application/json' };
    const { id } = await data(server.ready, '/v1/emails', { method: 'POST', headers, body: JSON.stringify(email) });
    return data(server.ready, `/v1/emails/${id}`);
  };

  expect((await send({ language: 'en' })).language).toBe('en');
  expect((await send({})).language).toBeNull();
});

it('the server has the endpoint, and svc the command', async () => {
  const { base_url, api_key } = server.ready;
  const run = (...args: string[]) => svc([...args, '--base-url', base_url, '--api-key', api_key, '--json'], { binary });
  const sent = await run(
    'emails',
    'send',
    '--from',
    'a@example.test',
    '--to',
    'b@example.test',
    '--subject',
    'Hi',
    '--html',
    'Hi',
  );
  const { id } = JSON.parse(sent.stdout);

  const { code, stdout, stderr } = await run('emails', 'timeline', id);

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout).events[0]).toMatchObject({ type: 'email.sent' });
});
