import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyPatch, parsePatch } from 'diff';
import ts from 'typescript';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT, svc, temporaryDirectory } from '../support/cli/binary.js';

/** The example of CONTRIBUTING.md, applied to a copy of the sources: it compiles, works, and touches few files. */

const FILES_MAX = 3;
/** Tables with an entry for each endpoint, which the compiler demands. */
const TABLES = ['src/contract/openapi/examples.ts', 'src/contract/vocabulary/routes.ts', 'src/core/handlers.ts'];

const patches = parsePatch(readFileSync(join(ROOT, 'test/fixtures/changes/add-an-endpoint.diff'), 'utf8'));
const files = patches.map(({ newFileName = '' }) => newFileName);

let copy: ReturnType<typeof temporaryDirectory>;

beforeAll(() => {
  copy = temporaryDirectory();
  for (const name of ['bin', 'commands', 'scripts', 'src', 'package.json', 'tsconfig.json']) {
    cpSync(join(ROOT, name), join(copy.path, name), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy.path, 'node_modules'));
  for (const patch of patches) {
    const file = join(copy.path, patch.newFileName ?? '');
    const before = patch.oldFileName === '/dev/null' ? '' : readFileSync(file, 'utf8');
    const patched = applyPatch(before, patch);
    if (patched === false) throw new Error(`the example does not apply to ${patch.newFileName}: update its diff`);
    writeFileSync(file, patched);
  }
});

afterAll(() => copy.remove());

it(`touches at most ${FILES_MAX} source files besides tables, those that CONTRIBUTING.md lists`, () => {
  const contributing = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  const section = /^## Files of a new endpoint\n(.*?)(?=^## |$(?![\s\S]))/ms.exec(contributing)?.[1];
  const listed = Array.from(section?.matchAll(/^\| `([^`]+)`/gm) ?? [], ([, file]) => file);

  expect(files.filter((file) => !TABLES.includes(file)).length).toBeLessThanOrEqual(FILES_MAX);
  expect([...files].sort()).toEqual(listed.sort());
});

it('compiles without a change elsewhere', () => {
  const { config } = ts.readConfigFile(join(copy.path, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, copy.path);
  const roots = [...files, 'src/sql.d.ts'].map((file) => join(copy.path, file));
  const program = ts.createProgram({ rootNames: roots, options });

  // The files that the example touches are those that it could break; checking all takes several times as long.
  const problems = files.flatMap((file) => {
    const source = program.getSourceFile(join(copy.path, file));
    return program.getSemanticDiagnostics(source).map(({ messageText }) => messageText);
  });

  expect(problems).toEqual([]);
});

it('serves the endpoint and has the command', async () => {
  execFileSync(process.execPath, [join(copy.path, 'scripts/build.js')], { cwd: copy.path });
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
