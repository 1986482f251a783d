import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { RunInProcess } from './in-process.js';

/** Runs the built binary as a user does. */

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
export const BINARY = join(ROOT, 'bin/run.js');
/** A data directory that cannot be created. */
export const NOWHERE = join(BINARY, 'data');

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  /** Added to the environment; a variable that is undefined is removed. */
  env?: Record<string, string | undefined>;
  cwd?: string;
  /** The text on stdin, which then ends; `open` is a stdin without data or an end. */
  input?: string | 'open';
  /** Another copy of the binary, such as an installed one. */
  binary?: string;
  /** The user and group to run as; only root can choose. */
  uid?: number;
}

/** Creates a directory, deleted by `remove`. */
export function temporaryDirectory(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'svc-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Variables that Node.js, or a module when it is loaded, reads only once. */
const READ_ONCE = /^(?:NODE_|FORCE_COLOR$|NO_COLOR$|TERM$|CI$|TZ$|LANG$|LC_|SSL_|XDG_|HOME$|(?:HTTPS?|NO|ALL)_PROXY$)/i;

let inProcess: Promise<RunInProcess> | undefined;
let last: Promise<unknown> = Promise.resolve();
/** Number of commands that run in this process, or wait to do so. */
let inTurn = 0;

/**
 * Runs `svc` to its end, without the SVC_* variables of the environment: in this process, which takes less time, or in
 * one of its own if the test needs one or another command runs here.
 */
export function svc(args: string[], options: RunOptions = {}): Promise<Finished> {
  const { binary, uid, input, env = {} } = options;
  const needsOwn = binary !== undefined || uid !== undefined || input === 'open' || passesStreams(args);
  const isSpawned = needsOwn || inTurn > 0 || Object.keys(env).some((name) => READ_ONCE.test(name));
  return isSpawned ? svcProcess(args, options) : svcInTurn(args, options);
}

/** Returns whether the command passes its stdin or stdout on, to a program or a connection. */
const passesStreams = ([topic, verb]: string[]) => topic === 'sendmail' || (topic === 'dev' && verb === 'exec');

/** Runs `svc` to its end in this process, after other commands here: none of them may wait for a later one. */
export function svcInTurn(args: string[], { cwd = ROOT, env = {}, input }: RunOptions = {}): Promise<Finished> {
  inTurn += 1;
  const run = last.then(async () => {
    inProcess ??= import('./in-process.js').then(({ openInProcess }) => openInProcess());
    return (await inProcess)(args, { cwd, env, input });
  });
  last = run
    .catch(() => {})
    .finally(() => {
      inTurn -= 1;
    });
  return run;
}

/** Runs `svc` to its end in a process of its own. */
async function svcProcess(args: string[], options: RunOptions = {}): Promise<Finished> {
  const child = start(args, options);
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  if (options.input !== 'open') child.stdin?.end(options.input ?? '');
  const [code] = (await once(child, 'exit')) as [number | null];
  const [stdout, stderr] = await output;
  return { code, stdout, stderr };
}

export interface Ready {
  base_url: string;
  smtp: { host: string; port: number };
  api_key: string;
  webhook_secret: string;
  inbox_url: string;
  pid: number;
  data_dir: string | null;
}

export interface DevServer {
  ready: Ready;
  child: ChildProcess;
  /** Every later line of stdout, as it arrives. */
  lines: AsyncIterator<string>;
  /** All of stderr, once it has ended. */
  stderr: Promise<string>;
  /** Sends a signal and resolves with the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/**
 * Starts `svc dev --json` on free ports, without a delivery delay unless one is given, and waits until it is ready. In memory it is found only by a data directory
 * that the environment names: else commands of other tests would find it in the user's own.
 */
export async function startDev(args: string[] = [], options: RunOptions = {}): Promise<DevServer> {
  const env = { ...(args.includes('--in-memory') && { SVC_DATA_DIR: NOWHERE }), ...options.env };
  const delay = args.includes('--delivery-delay') ? [] : ['--delivery-delay', '0'];
  const child = start(['dev', '--http-port', '0', '--smtp-port', '0', '--json', ...delay, ...args], {
    ...options,
    env,
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const stderr = text(child.stderr);
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const first = await Promise.race([lines.next(), exited.then(() => undefined)]);
  if (!first || first.done) throw new Error(`svc dev did not start: ${await stderr}`);
  return {
    ready: JSON.parse(first.value) as Ready,
    child,
    lines,
    stderr,
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      const [code] = await exited;
      return code;
    },
  };
}

/** Starts the binary, with its streams as pipes, without the SVC_* variables of the environment. */
export function start(args: string[], { env = {}, cwd = ROOT, binary = BINARY, uid }: RunOptions = {}): ChildProcess {
  return spawn(process.execPath, [binary, ...args], {
    cwd,
    env: environment(env),
    stdio: 'pipe',
    ...(uid !== undefined && { uid, gid: uid }),
  });
}

/** The variables that a command of a test gets: a command in this process changes those of the process. */
const INHERITED = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SVC_')));

/** Returns the environment of a command. */
export function environment(env: Record<string, string | undefined>): NodeJS.ProcessEnv {
  // The binary checks its responses against the contract, as startApp does.
  return { ...INHERITED, SVC_CHECK_RESPONSES: '1', ...env };
}

/** Returns everything that a stream contains until it ends. */
export async function text(stream: NodeJS.ReadableStream | null): Promise<string> {
  let all = '';
  // A character may be split by the end of a chunk.
  stream?.setEncoding('utf8');
  for await (const chunk of stream ?? []) all += chunk;
  return all;
}
