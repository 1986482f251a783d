import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { svcInTurn } from './binary.js';

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

/** A command of svc that a shell would not change, apart from the quotes around a word. */
const PLAIN = /^svc(?: (?:[\w@.,:/=-]+|"[^"\\$`]*"|'[^']*'))+$/;
/** They pass their streams on, or start or stop a process. */
const NEEDS_OWN_PROCESS = /^svc (?:sendmail|dev exec|dev stop|dev --detach)\b/;

/**
 * Runs lines in a shell until they end, or `sh` until one fails. Plain commands run in this process, which takes less
 * time.
 */
export async function runInShell(shell: string, lines: string, place: Place): Promise<Run> {
  const commands = lines
    .trim()
    .replaceAll(/\\\n */g, '')
    .split('\n');
  if (shell === 'sh' && commands.every((each) => PLAIN.test(each) && !NEEDS_OWN_PROCESS.test(each)))
    return runInTurn(commands, place);
  const { cwd, env } = place;
  const child = spawn(shell, [shell === 'sh' ? '-ec' : '-c', lines], {
    cwd,
    env: baseEnv(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
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

async function runInTurn(commands: string[], place: Place): Promise<Run> {
  const all = { stdout: '', stderr: '' };
  let code: number | null = 0;
  for (const command of commands) {
    const words = command.match(/"[^"]*"|'[^']*'|[^ ]+/g) ?? [];
    const args = words.slice(1).map((word) => word.replace(/^(["'])(.*)\1$/, '$2'));
    const run = await svcInTurn(args, place);
    all.stdout += run.stdout;
    all.stderr += run.stderr;
    code = run.code;
    if (code !== 0) break;
  }
  return { code, output: all.stdout + all.stderr };
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
