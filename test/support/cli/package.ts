import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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
  /** The folder it was installed into. */
  app: string;
  /** `svc`, as npm linked it. */
  command: string;
  /** The paths in the tarball. */
  files: string[];
  /** Installs the dependencies of a project, which has the tarball next to its package.json. */
  installProject(directory: string): Promise<void>;
}

/** Packs this project and installs it into an empty folder under `folder`. */
export async function installPackage(folder: string): Promise<InstalledPackage> {
  const app = join(folder, 'app');
  const [packed] = JSON.parse(await npm(['pack', '--json', '--pack-destination', folder], ROOT));
  mkdirSync(app);
  writeFileSync(join(app, 'package.json'), '{"name":"app","private":true}');
  const prebuilds = await packPrebuilt(folder);
  const install = (directory: string, ...names: string[]) =>
    npm(['install', '--no-audit', '--no-fund', '--prefer-offline', ...names], directory, {
      npm_config_better_sqlite3_local_prebuilds: prebuilds,
    });
  await install(app, join(folder, packed.filename));
  return {
    async installProject(directory) {
      copyFileSync(join(folder, packed.filename), join(directory, packed.filename));
      await install(directory);
    },
    app,
    command: join(app, 'node_modules/.bin/svc'),
    files: packed.files.map(({ path }: { path: string }) => path),
  };
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
