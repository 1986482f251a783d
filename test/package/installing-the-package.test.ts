import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ready, ROOT, temporaryDirectory } from '../support/binary.js';
import { data } from '../support/server-calls.js';
import { runTool } from '../support/tools.js';

/**
 * What `npm install svc-cli` gives somebody else, from the tarball that would be published, by npm itself and with its
 * install scripts. better-sqlite3's script asks for a prebuilt binary and compiles for minutes where it gets none; it is
 * given the one of this project, by the setting that its own installer has for that.
 */
describe('the package, installed into an empty folder', () => {
  const folder = temporaryDirectory();
  const app = join(folder.path, 'app');
  const command = join(app, 'node_modules/.bin/svc');
  let files: string[];

  beforeAll(async () => {
    const [packed] = JSON.parse(await npm(['pack', '--json', '--pack-destination', folder.path], ROOT));
    files = packed.files.map(({ path }: { path: string }) => path);
    mkdirSync(app);
    writeFileSync(join(app, 'package.json'), '{"name":"app","private":true}');
    const prebuilds = await packPrebuilt(folder.path);
    await npm(['install', '--no-audit', '--no-fund', '--prefer-offline', join(folder.path, packed.filename)], app, {
      npm_config_better_sqlite3_local_prebuilds: prebuilds,
    });
  });

  afterAll(() => folder.remove());

  it('brings better-sqlite3 and what that needs, and nothing else', () => {
    const lock = JSON.parse(readFileSync(join(app, 'node_modules/.package-lock.json'), 'utf8'));
    const packages: Record<string, { dependencies?: Record<string, string> }> = lock.packages;
    const needed = new Set<string>();
    const add = (name: string) => {
      if (needed.has(name)) return;
      needed.add(name);
      for (const each of Object.keys(packages[`node_modules/${name}`]?.dependencies ?? {})) add(each);
    };
    add('better-sqlite3');

    const { dependencies } = packages['node_modules/svc-cli'] ?? {};
    expect(Object.keys(dependencies ?? {})).toEqual(['better-sqlite3']);
    const installed = Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, ''));
    expect(new Set(installed)).toEqual(new Set([...needed, 'svc-cli']));
  });

  it('runs: version, server, sending and listing', async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(await svc(['--version'])).toContain(version);

    const args = ['dev', '--http-port', '0', '--smtp-port', '0', '--data-dir', join(app, 'data'), '--json'];
    const child = spawn(command, args, { cwd: app, env: environment(), stdio: ['ignore', 'pipe', 'inherit'] });
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

  it('brings the starter templates', async () => {
    const { subject } = JSON.parse(
      await svc(['templates', 'render', 'node_modules/svc-cli/templates/welcome', '--json']),
    );

    expect(subject).toMatch(/\w/);
  });

  it('holds what runs and what the licence asks for, no sources, tests or paths of the machine it was made on', () => {
    expect(files).toEqual(
      expect.arrayContaining(['package.json', 'bin/run.js', 'dist/main.js', 'oclif.manifest.json', 'LICENSE']),
    );
    expect(
      files.filter((file) => !/^(bin|dist|templates)\/|^[A-Z][\w.]*$|^(package|oclif\.manifest)\.json$/.test(file)),
    ).toEqual([]);
    expect(files.filter((file) => /\.(ts|tsx|map)$|(^|\/)(test|src|bench|node_modules)\//.test(file))).toEqual([]);
    const installed = join(app, 'node_modules/svc-cli');
    for (const entry of readdirSync(installed, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const text = readFileSync(join(entry.parentPath, entry.name), 'latin1');
      expect(text.includes(ROOT.replace(/\/$/, '')), `${entry.name} names ${ROOT}`).toBe(false);
    }
  });

  function svc(args: string[]): Promise<string> {
    return runTool(command, args, '', { cwd: app, env: environment() });
  }
});

/** An npm as somebody else has it: without what the npm that runs these tests tells its children. */
function npm(args: string[], cwd: string, more: Record<string, string> = {}): Promise<string> {
  return runTool('npm', args, '', { cwd, env: { ...environment(), ...more } });
}

function environment(): Record<string, string> {
  const own = /^(SVC_|NODE_ENV$|VITEST|npm_(?!config_(registry|cache|userconfig|prefix)$))/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name))) as Record<string, string>;
}

/** Packs this project's better-sqlite3 as its authors publish their binaries. Answers the directory. */
async function packPrebuilt(folder: string): Promise<string> {
  const prebuilds = join(folder, 'prebuilds');
  const release = join(folder, 'binary/build/Release');
  for (const directory of [prebuilds, release]) mkdirSync(directory, { recursive: true });
  const manifest = createRequire(import.meta.url).resolve('better-sqlite3/package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  copyFileSync(join(manifest, '../build/Release/better_sqlite3.node'), join(release, 'better_sqlite3.node'));
  const name = `better-sqlite3-v${version}-node-v${process.versions.modules}-${process.platform}-${process.arch}.tar.gz`;
  await runTool('tar', ['czf', join(prebuilds, name), '-C', join(folder, 'binary'), 'build']);
  return prebuilds;
}
