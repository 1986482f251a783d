import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT } from './binary.js';
import { runTool } from './tools.js';

/**
 * Installs svc as `npm install svc-cli` does for a user: from the tarball that would be published, with npm's install
 * scripts. The script of better-sqlite3 downloads a prebuilt binary, or compiles for minutes without one. A setting of
 * its installer makes it use the binary of this project.
 */
export interface InstalledPackage {
  /** The folder it was installed into, with the tarball. */
  app: string;
  /** `svc`, as npm linked it. */
  command: string;
  /** The paths in the tarball. */
  files: string[];
  /** Installs all dependencies of a project, svc among them. */
  installProject(directory: string): Promise<void>;
  /** Installs the other dependencies of a project that already has svc, in less time. */
  addToSvc(directory: string): Promise<void>;
}

/** Where all test files have one installation for each state of the package. */
const INSTALLATIONS = join(ROOT, 'node_modules/.cache/svc-package');
const DAY_MS = 24 * 60 * 60 * 1_000;

/** Copies an installation of the packed project to `app` in a folder. */
export async function installPackage(folder: string): Promise<InstalledPackage> {
  const installation = await installOnce();
  const files: string[] = JSON.parse(readFileSync(join(installation, 'files.json'), 'utf8'));
  const [tarball = ''] = readdirSync(join(installation, 'app')).filter((name) => name.endsWith('.tgz'));
  const app = join(folder, 'app');
  const copy = (name: string, from: string, to: string) =>
    cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
  copy('app', installation, folder);
  return {
    app,
    command: join(app, 'node_modules/.bin/svc'),
    files,
    async installProject(directory) {
      copy(tarball, join(installation, 'app'), directory);
      await npmInstall(directory, installation);
    },
    async addToSvc(directory) {
      for (const name of [tarball, 'node_modules']) copy(name, join(installation, 'app'), directory);
      await npmInstall(directory, installation);
    },
  };
}

/** Packs this project and installs it, unless a test did so for the same package. Returns the folder. */
async function installOnce(): Promise<string> {
  const digest = createHash('sha256').update(process.versions.modules);
  // dist/built-from is a digest of the sources. The tarball has the next two as well, and this file installs it.
  for (const file of ['dist/built-from', 'LICENSE', 'README.md', 'test/support/cli/package.ts']) {
    digest.update(readFileSync(join(ROOT, file)));
  }
  const folder = join(INSTALLATIONS, digest.digest('hex').slice(0, 16));
  if (existsSync(folder)) return folder;
  mkdirSync(INSTALLATIONS, { recursive: true });
  for (const name of readdirSync(INSTALLATIONS)) {
    const path = join(INSTALLATIONS, name);
    const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (Date.now() - changed > DAY_MS) rmSync(path, { recursive: true, force: true });
  }
  const own = `${folder}.${process.pid}`;
  await packAndInstall(own);
  // Another process may have finished first.
  if (existsSync(folder)) rmSync(own, { recursive: true });
  else renameSync(own, folder);
  return folder;
}

async function packAndInstall(folder: string): Promise<void> {
  const app = join(folder, 'app');
  mkdirSync(app, { recursive: true });
  const [packed] = JSON.parse(await npm(['pack', '--json', '--pack-destination', app], ROOT));
  const files = packed.files.map(({ path }: { path: string }) => path);
  writeFileSync(join(folder, 'files.json'), JSON.stringify(files));
  writeFileSync(join(app, 'package.json'), '{"name":"app","private":true}');
  await packPrebuilt(folder);
  await npmInstall(app, folder, join(app, packed.filename));
}

function npmInstall(directory: string, installation: string, ...names: string[]): Promise<string> {
  return npm(['install', '--no-audit', '--no-fund', '--prefer-offline', ...names], directory, {
    npm_config_better_sqlite3_local_prebuilds: join(installation, 'prebuilds'),
  });
}

/** Runs npm as a user does: without the variables that the npm of this test run sets for its child processes. */
export function npm(args: string[], cwd: string, more: Record<string, string> = {}): Promise<string> {
  const { SVC_TEST_CA_CERTS } = process.env;
  const certificates = SVC_TEST_CA_CERTS ? { NODE_EXTRA_CA_CERTS: SVC_TEST_CA_CERTS } : {};
  return runTool('npm', args, '', { cwd, env: { ...elsewhere(), ...certificates, ...more } });
}

/** Returns the environment of a user, without anything from these tests. */
export function elsewhere(): Record<string, string> {
  const own = /^(SVC_|NODE_ENV$|VITEST|npm_(?!config_(registry|cache|userconfig|prefix)$))/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name))) as Record<string, string>;
}

/** Packs this project's better-sqlite3 as its authors publish their binaries. Returns the directory. */
export async function packPrebuilt(folder: string): Promise<string> {
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
