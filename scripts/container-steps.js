import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { linkModules } from './linked-modules.js';

/**
 * Carries out the steps of the Dockerfile in an empty directory, where no container engine is available:
 * `node scripts/container-steps.js DIRECTORY`.
 *
 * Each stage gets a folder that stands for its root. FROM adds nothing to it: commands run with this machine's Node and
 * npm. "npm ci" links the packages that this project has installed from the same package-lock.json. USER, VOLUME, EXPOSE
 * and the owner of COPY --chown have no effect. `image.json` gets the environment and the commands of the last stage.
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const [directory] = process.argv.slice(2);
if (!directory || readdirSync(directory).length > 0) {
  process.stderr.write('Name an empty directory: node scripts/container-steps.js DIRECTORY\n');
  process.exit(2);
}

const stages = new Map();
let stage;

const steps = {
  ARG() {},
  FROM(text) {
    const [, name = 'image'] = / AS (\S+)$/i.exec(text) ?? [];
    stage = { root: join(directory, name), workdir: '/', env: {}, image: {} };
    stages.set(name, stage);
    mkdirSync(stage.root);
  },
  WORKDIR(path) {
    stage.workdir = path;
    mkdirSync(inStage(path), { recursive: true });
  },
  ENV(text) {
    for (const setting of text.split(' ')) {
      const [name, value] = setting.split('=');
      stage.env[name] = value;
    }
  },
  COPY(text) {
    const words = text.split(' ');
    const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length);
    const [target, ...sources] = words.filter((word) => !word.startsWith('--')).reverse();
    for (const source of sources) copy(from, source, target, sources.length > 1);
  },
  RUN(command) {
    if (/^npm ci --ignore-scripts( --[\w-]+)*$/.test(command)) return linkInstalled();
    execFileSync('sh', ['-ec', command], { cwd: inStage(), env: { ...process.env, ...stage.env }, stdio: 'inherit' });
  },
  USER() {},
  VOLUME() {},
  EXPOSE() {},
  HEALTHCHECK(text) {
    stage.image.healthcheck = JSON.parse(text.slice(text.indexOf('[')));
  },
  ENTRYPOINT(text) {
    stage.image.entrypoint = JSON.parse(text);
  },
  CMD(text) {
    stage.image.command = JSON.parse(text);
  },
};

/** Returns the folder that stands for a path of the stage. Relative paths start at its working directory. */
function inStage(path = '.', of = stage) {
  return join(of.root, path.startsWith('/') ? path : join(of.workdir, path));
}

/**
 * Links the packages of the project instead of `npm ci`, which takes half a minute. better-sqlite3 is missing: without
 * its install script, nothing can load it.
 */
function linkInstalled() {
  for (const name of ['package.json', 'package-lock.json']) {
    if (!existsSync(inStage(name))) throw new Error(`npm ci needs ${name}, which no step has copied`);
  }
  linkModules(root, inStage(), 'better-sqlite3');
}

function copy(from, source, target, several) {
  if (from !== undefined) return copyTree(inStage(source, stages.get(from)), inStage(target));
  const names = source === '.' ? context() : [source];
  const into = source === '.' || several || target.endsWith('/');
  for (const name of names) copyTree(join(root, name), into ? join(inStage(target), name) : inStage(target));
}

function copyTree(source, target) {
  cpSync(source, target, { recursive: true, verbatimSymlinks: true });
}

/** Returns what .dockerignore leaves of this directory. It excludes everything and names exceptions. */
function context() {
  const [first, ...names] = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (first !== '*') throw new Error('.dockerignore must start with *');
  return names.map((name) => name.slice(1));
}

const lines = readFileSync(join(root, 'Dockerfile'), 'utf8').split('\n');
for (const line of lines.filter((each) => each !== '' && !each.startsWith('#'))) {
  const [, name, text] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
  if (!(name in steps)) throw new Error(`Unknown step: ${line}`);
  process.stdout.write(`${line}\n`);
  steps[name](text);
}
const { env, image } = stage;
writeFileSync(join(directory, 'image.json'), `${JSON.stringify({ root: stage.root, env, ...image }, undefined, 2)}\n`);
