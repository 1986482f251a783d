import { Console } from 'node:console';
import type { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { STOP_SIGNALS } from '../../../src/cli/errors/exit-codes.js';
import { BINARY, environment, type Finished, ROOT } from './binary.js';

/** Runs the built command line in the test's own process, because starting one for each command takes most of the time. */

interface InProcessOptions {
  cwd: string;
  env: Record<string, string | undefined>;
  /** The text on stdin, which then ends; `open` is a stdin without data or an end. */
  input?: string | undefined;
  /** Called with everything that the command has written to stdout so far. */
  onStdout?(text: string): void;
}

export type RunInProcess = (args: string[], options: InProcessOptions) => Promise<Finished>;

type Loader = {
  openBundle(root: string, outside: NodeJS.Require, command: string): Promise<(name: string) => unknown>;
};
type Main = { main(argv: string[], binary: string): Promise<unknown> };

export async function openInProcess(): Promise<RunInProcess> {
  const require = createRequire(import.meta.url);
  const { openBundle } = require(join(ROOT, 'dist/loader.js')) as Loader;
  const load = await openBundle(join(ROOT, 'dist'), require, 'in-process');
  const { main } = load('main') as Main;
  return async (args, { cwd, env, input = '', onStdout }) => {
    const texts = { stdout: '', stderr: '' };
    const restore = [
      // env-paths reads HOME once, for all later commands.
      withEnvironment({ ...environment(env), HOME: process.env.HOME }),
      replace(process, 'argv', [process.execPath, BINARY, ...args]),
      replace(process, 'execArgv', []),
      replace(process, 'stdin', stdin(input)),
      // oclif keeps there what an earlier command read from its stdin.
      replace(globalThis, 'oclif', undefined),
      replace(globalThis, 'console', new Console(process.stdout, process.stderr)),
      withDirectory(cwd),
      withoutNewListeners(process, STOP_SIGNALS),
      capture('stdout', (text) => {
        texts.stdout += text;
        onStdout?.(texts.stdout);
      }),
      capture('stderr', (text) => {
        texts.stderr += text;
      }),
    ];
    try {
      process.exitCode = undefined;
      await main(args, BINARY);
      return { code: (process.exitCode as number | undefined) ?? 0, ...texts };
    } finally {
      for (const each of restore.reverse()) each();
      process.exitCode = undefined;
    }
  };
}

function stdin(input: string): Readable {
  const stream = new Readable({ read() {} });
  if (input === 'open') return stream;
  if (input !== '') stream.push(input);
  stream.push(null);
  return stream;
}

function withEnvironment(env: NodeJS.ProcessEnv): () => void {
  const before = { ...process.env };
  const become = (after: NodeJS.ProcessEnv) => {
    for (const name of Object.keys(process.env)) if (after[name] === undefined) delete process.env[name];
    for (const [name, value] of Object.entries(after)) if (process.env[name] !== value) process.env[name] = value;
  };
  become(env);
  return () => become(before);
}

/** Replaces a property. Returns what restores it. */
function replace(object: object, name: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(object, name);
  Object.defineProperty(object, name, { value, configurable: true, writable: true });
  return () => {
    if (before) Object.defineProperty(object, name, before);
    else Reflect.deleteProperty(object, name);
  };
}

function withDirectory(cwd: string): () => void {
  const before = process.cwd();
  process.chdir(cwd);
  return () => process.chdir(before);
}

/** Replaces the stream's `write`. The command adds listeners for errors, which are removed with it. */
function capture(name: 'stdout' | 'stderr', add: (text: string) => void): () => void {
  const stream = process[name];
  const { write } = stream;
  const decoder = new StringDecoder();
  const restore = withoutNewListeners(stream, ['error']);
  stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    add(typeof chunk === 'string' ? chunk : decoder.write(Buffer.from(chunk)));
    (rest.find((each) => typeof each === 'function') as (() => void) | undefined)?.();
    return true;
  }) as typeof write;
  return () => {
    stream.write = write;
    restore();
  };
}

/** Returns what removes the listeners that the command adds: those of a command end with its process. */
function withoutNewListeners(emitter: EventEmitter, events: readonly string[]): () => void {
  const before = new Map(events.map((event) => [event, emitter.listeners(event)]));
  return () => {
    for (const [event, listeners] of before) {
      for (const each of emitter.listeners(event)) {
        if (!listeners.includes(each)) emitter.removeListener(event, each as () => void);
      }
    }
  };
}
