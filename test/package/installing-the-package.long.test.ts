import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ready, ROOT, temporaryDirectory } from '../support/cli/binary.js';
import { elsewhere, installPackage, npm } from '../support/cli/package.js';
import { runTool } from '../support/cli/tools.js';
import { data } from '../support/servers/server-calls.js';

describe('the package, installed into an empty folder', () => {
  const folder = temporaryDirectory();
  let app: string;
  let command: string;
  let files: string[];

  beforeAll(async () => {
    ({ app, command, files } = await installPackage(folder.path));
  });

  afterAll(() => folder.remove());

  it('contains better-sqlite3 and its dependencies, and nothing else', () => {
    const lock = JSON.parse(readFileSync(join(app, 'node_modules/.package-lock.json'), 'utf8'));
    const packages: Record<string, { [kind in 'dependencies' | 'optionalDependencies']?: Record<string, string> }> =
      lock.packages;
    const needed = new Set<string>();
    const add = (name: string) => {
      if (needed.has(name)) return;
      needed.add(name);
      for (const each of Object.keys(packages[`node_modules/${name}`]?.dependencies ?? {})) add(each);
    };
    add('better-sqlite3');

    const { dependencies, optionalDependencies } = packages['node_modules/svc-cli'] ?? {};
    expect(Object.keys({ ...dependencies, ...optionalDependencies })).toEqual(['better-sqlite3']);
    const installed = Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, ''));
    expect(new Set(installed)).toEqual(new Set([...needed, 'svc-cli']));
  });

  it('runs: version, server, sending and listing', async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(await svc(['--version'])).toContain(version);

    const args = ['dev', '--http-port', '0', '--smtp-port', '0', '--data-dir', join(app, 'data'), '--json'];
    const child = spawn(command, args, { cwd: app, env: elsewhere(), stdio: ['ignore', 'pipe', 'inherit'] });
    const exited = once(child, 'exit');
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const ready = JSON.parse((await lines.next()).value) as Ready;
    const dataDir = ['--data-dir', join(app, 'data'), '--json'];
    const { id } = JSON.parse(await svc(['emails', 'send', '--to', 'delivered@simulator.test', ...dataDir]));
    for await (const line of { [Symbol.asyncIterator]: () => lines }) {
      if (JSON.parse(line).type === 'email.delivered') break;
    }
    expect(JSON.parse(await svc(['emails', 'list', ...dataDir])).emails).toMatchObject([{ id, status: 'delivered' }]);
    expect((await data(ready, '/v1/emails')).pagination.total).toBe(1);
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });

  it('contains the starter templates', async () => {
    const { subject } = JSON.parse(
      await svc(['templates', 'render', 'node_modules/svc-cli/templates/welcome', '--json']),
    );

    expect(subject).toMatch(/\w/);
  });

  it('contains what runs and what the licence requires, no sources, tests or paths of the build machine', () => {
    expect(files).toEqual(
      expect.arrayContaining(['package.json', 'bin/run.js', 'dist/main.js', 'oclif.manifest.json', 'LICENSE']),
    );
    expect(
      files.filter((file) => !/^(bin|dist|templates)\/|^[A-Z][\w.]*$|^(package|oclif\.manifest)\.json$/.test(file)),
    ).toEqual([]);
    expect(files.filter((file) => /(?<!\.d)\.m?tsx?$|\.map$|(^|\/)(test|src|bench|node_modules)\//.test(file))).toEqual(
      [],
    );
    const installed = join(app, 'node_modules/svc-cli');
    for (const entry of readdirSync(installed, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const text = readFileSync(join(entry.parentPath, entry.name), 'latin1');
      expect(text.includes(ROOT.replace(/\/$/, '')), `${entry.name} names ${ROOT}`).toBe(false);
    }
  });

  it('is what would be published', async () => {
    const published = JSON.parse(await npm(['publish', '--dry-run', '--json'], ROOT));
    // npm 11 has the name of the package as a key.
    const { name, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(published[name] ?? published).toMatchObject({ id: `${name}@${version}`, entryCount: files.length });
  });

  // The last tests: they remove better-sqlite3 in two steps.
  it.each([
    ['better-sqlite3 was not compiled', 'build', 'Run "npm rebuild better-sqlite3 --ignore-scripts=false" in APP. '],
    [
      'better-sqlite3 is not installed',
      '.',
      'Run "npm install --no-save --omit=dev --foreground-scripts better-sqlite3@12" in APP/node_modules/svc-cli: ',
    ],
  ])('says once what to do if %s, and still calls servers', async (reason, removed, advice) => {
    rmSync(join(app, 'node_modules/better-sqlite3', removed), { recursive: true });
    const run = (args: string[], PATH: string) =>
      spawnSync(process.execPath, [join(app, 'node_modules/svc-cli/bin/run.js'), ...args], {
        ...{ cwd: app, encoding: 'utf8' as const, env: { ...elsewhere(), PATH } },
      });
    const dataDir = ['--data-dir', join(app, 'new')];
    for (const args of [
      ['dev', ...dataDir],
      ['emails', 'list', ...dataDir],
      ['dev', '--in-memory'],
    ]) {
      const { status, stderr } = run(args, '/nowhere');
      expect(status).toBe(1);
      expect(stderr.split('\n')).toEqual([
        expect.stringMatching(reason),
        expect.stringMatching(/^Compiling it needs Python 3, make, a C\+\+ compiler\. (Run|Install) /),
        '',
      ]);
      expect(stderr.replace(app, 'APP')).toContain(advice);
    }
    const doctor = run(['doctor', ...dataDir], '/nowhere');
    expect([doctor.status, doctor.stdout]).toEqual([1, expect.stringMatching(`PROBLEM +database .*${reason}`)]);
    const { status, stderr } = run(['emails', 'list', '--base-url', 'http://127.0.0.1:1/v1', '--api-key', 'k'], '');
    expect([status, stderr]).toEqual([5, expect.stringContaining('Cannot connect to http://127.0.0.1:1')]);
  });

  function svc(args: string[]): Promise<string> {
    return runTool(command, args, '', { cwd: app, env: elsewhere() });
  }
});
