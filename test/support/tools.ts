import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

/** Programs of other makers, run as a user runs them. */

export function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version']).error === undefined;
}

/** Runs a program to its end and answers its stdout. @throws Error with its stderr when it fails. */
export async function runTool(
  program: string,
  args: string[],
  input: string | Buffer = '',
  options: { cwd?: string; env?: Record<string, string> } = {},
): Promise<string> {
  const child = spawn(program, args, { ...options, stdio: 'pipe' });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${stderr || stdout}`);
  return stdout;
}
