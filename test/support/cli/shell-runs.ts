import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs commands in a shell that has only the given SVC_ variables. */

export interface Place {
  cwd: string;
  env: Record<string, string>;
}

export interface Run {
  code: number | null;
  /** stdout, followed by stderr. */
  output: string;
}

/** Runs lines in a shell until they end. */
export async function runInShell(shell: string, lines: string, { cwd, env }: Place): Promise<Run> {
  const child = spawn(shell, ['-c', lines], { cwd, env: baseEnv(env), stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output: stdout + stderr };
}

/** Runs lines until their output matches or they end, then interrupts them. The last line must `exec` its command. */
export async function runUntilStopped(lines: string, { cwd, env }: Place, ready: RegExp): Promise<Run> {
  const child = spawn('sh', ['-c', lines], { cwd, env: baseEnv(env) });
  const closed = once(child, 'close') as Promise<[number | null]>;
  let output = '';
  await Promise.race([
    closed,
    new Promise<void>((resolve) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk) => {
          output += chunk;
          if (ready.test(output)) resolve();
        });
      }
    }),
  ]);
  child.kill('SIGINT');
  const [code] = await closed;
  return { code, output };
}

function baseEnv(env: Record<string, string>): Record<string, string> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('SVC_'));
  return { ...(Object.fromEntries(inherited) as Record<string, string>), ...env };
}
