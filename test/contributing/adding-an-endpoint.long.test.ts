import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { svc } from '../support/cli/binary.js';
import { changedCopy, listedFiles, readChange, typeErrors } from './changed-copy.js';

/** The example of CONTRIBUTING.md, applied to a copy of the sources: it compiles, works, and touches few files. */

const FILES_MAX = 3;
/** Tables with an entry for each endpoint, which the compiler demands. */
const TABLES = [
  'src/contract/openapi/examples.ts',
  'src/contract/vocabulary/routes.ts',
  'src/core/handlers/service/handlers.ts',
];
const { patches, files } = readChange('add-an-endpoint.diff');

let copy: ReturnType<typeof changedCopy>;
beforeAll(() => {
  copy = changedCopy(['bin', 'commands', 'scripts', 'src', 'templates', 'package.json', 'tsconfig.json'], patches);
  execFileSync(process.execPath, [join(copy.path, 'scripts/build.js')], { cwd: copy.path });
});
afterAll(() => copy.remove());

it(`touches at most ${FILES_MAX} source files besides tables, those that CONTRIBUTING.md lists`, () => {
  const listed = listedFiles('Files of a new endpoint');

  expect(files.filter((file) => !TABLES.includes(file)).length).toBeLessThanOrEqual(FILES_MAX);
  expect([...files].sort()).toEqual(listed.sort());
});

it('type-checks in the files that it changes', () => {
  // The files that the example touches are those that it could break; checking all takes several times as long.
  expect(typeErrors(copy.path, [...files, 'src/sql.d.ts'], files)).toEqual([]);
});

it('serves the endpoint and has the command', async () => {
  const run = (...args: string[]) =>
    svc([...args, '--data-dir', join(copy.path, 'data'), '--json'], { binary: join(copy.path, 'bin/run.js') });
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
