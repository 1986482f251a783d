import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DevServer, ROOT, startDev } from '../support/cli/binary.js';
import { runTool, skippedWithout } from '../support/cli/tools.js';
import { data, request } from '../support/servers/server-calls.js';

/** Runs the programs of docs/testing.md that wait for an email. */

const RECIPES = join(ROOT, 'test/fixtures/recipes');
let server: DevServer;
let built: string;
beforeAll(async () => {
  server = await startDev(['--in-memory']);
  built = mkdtempSync(join(tmpdir(), 'recipes-'));
});
afterAll(async () => {
  rmSync(built, { recursive: true });
  await server.stop();
});

it('are those of docs/testing.md', () => {
  const page = readFileSync(join(ROOT, 'docs/testing.md'), 'utf8');
  const shown = Array.from(page.matchAll(/^```(?:go|java|rust|csharp)\n(.*?)^```$/gms), ([, code]) => code);
  const names = readdirSync(RECIPES).filter((name) => !name.startsWith('Cargo.'));
  const files = names.map((name) => readFileSync(join(RECIPES, name), 'utf8'));
  expect(shown.toSorted()).toEqual(files.toSorted());
});

/** Crates that were compiled for an earlier run are compiled only once. */
const CRATES = join(ROOT, 'node_modules/.cache/rust-recipes');
const CARGO = ['--quiet', '--locked', '--manifest-path', join(RECIPES, 'Cargo.toml'), '--target-dir', CRATES];

const programs: [need: string, build: string[], run: () => string[]][] = [
  ['go', ['go', 'build', '-o', 'wait', join(RECIPES, 'wait.go')], () => [join(built, 'wait')]],
  ['javac', ['javac', '-d', '.', join(RECIPES, 'Wait.java')], () => ['java', '-cp', built, 'Wait']],
  ['cargo', ['cargo', 'build', ...CARGO], () => [join(CRATES, 'debug/wait')]],
];

for (const [need, build, run] of programs) {
  const without = skippedWithout(need);
  it.skipIf(without)(
    `the one for ${need} prints the link of an email that arrives later${without}`,
    async () => {
      const execute = ([program = '', ...args]: string[]) => {
        const { base_url: SVC_BASE_URL, api_key: SVC_API_KEY } = server.ready;
        const env = { ...(process.env as Record<string, string>), SVC_BASE_URL, SVC_API_KEY };
        return runTool(program, args, '', { cwd: built, env });
      };
      await execute(build);
      expect((await request(server.ready, '/_svc/reset', { method: 'POST' })).status).toBe(204);
      const printed = execute(run());
      const body = {
        to: 'ada@example.test',
        from: 'shop@example.test',
        subject: 'Hi',
        html: `<a href="https://a.example/${need}">Open</a>`,
      };
      const headers = { 'content-type': 'application/json' };
      await data(server.ready, '/v1/emails', { method: 'POST', headers, body: JSON.stringify(body) });
      expect(await printed).toBe(`https://a.example/${need}\n`);
      // Go compiles its standard library first.
    },
    240_000,
  );
}
