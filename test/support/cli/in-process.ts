import { createRequire } from 'node:module';
import { join } from 'node:path';
import { BINARY, type Finished, ROOT } from './binary.js';

/** Runs the built command line in the test's own process, for tests of thousands of commands. */

interface InProcessOptions {
  cwd: string;
  env: Record<string, string>;
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
  return async (args, { cwd, env, onStdout }) => {
    const texts = { stdout: '', stderr: '' };
    const restore = [
      withEnvironment(env),
      withDirectory(cwd),
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

function withEnvironment(env: Record<string, string>): () => void {
  const before = { ...process.env };
  const names = [...Object.keys(env), ...Object.keys(before).filter((name) => name.startsWith('SVC_'))];
  const set = (name: string, value: string | undefined) => {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  };
  for (const name of names) set(name, env[name]);
  return () => {
    for (const name of names) set(name, before[name]);
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
  const listeners = stream.listeners('error');
  stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    add(Buffer.from(chunk as string).toString());
    (rest.find((each) => typeof each === 'function') as (() => void) | undefined)?.();
    return true;
  }) as typeof write;
  return () => {
    stream.write = write;
    for (const each of stream.listeners('error')) {
      if (!listeners.includes(each)) stream.removeListener('error', each as () => void);
    }
  };
}
