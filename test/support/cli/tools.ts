import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

/** Runs programs of other projects as a user does. */

function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version']).error === undefined;
}

/** Debian's packages of what tests need, where the package has another name. */
const PACKAGES: Record<string, string> = {
  'flask for python3': 'python3-flask',
  'git send-email': 'git-email',
  go: 'golang-go',
  php: 'php-cli',
  PostgreSQL: 'postgresql',
  prlimit: 'util-linux',
  pytest: 'python3-pytest',
  'ruby with rackup': 'ruby-rack ruby-webrick',
};

/**
 * Returns the reason to skip a test without a program, to be added to its title; empty where the program is available.
 * test/support/missing-programs.ts reads it from the title, or from the note of `context.skip`.
 * @throws Error in CI, where no test may be skipped because of a program that could be installed.
 */
export function skippedWithout(
  need: string,
  isPresent = isInstalled(need),
  install = `apt-get install ${PACKAGES[need] ?? need}`,
): string {
  if (isPresent) return '';
  if (process.env.CI) throw new Error(`${need} is missing, and CI skips no test for that: ${install}`);
  return skippedBecause(`${need} is not installed; to install it: ${install}`);
}

/** Returns a reason to skip a test, in the form of `skippedWithout`. */
export function skippedBecause(reason: string): string {
  return ` (skipped: ${reason})`;
}

/** Returns the HMAC-SHA256 that Python computes of a body, in hexadecimal: a check that is independent of svc. */
export function hmacByPython(body: string | Buffer, secret: string): string {
  const key = 'sys.argv[1].encode()';
  const program = `import hmac, sys; print(hmac.new(${key}, sys.stdin.buffer.read(), "sha256").hexdigest())`;
  return execFileSync('python3', ['-c', program, secret], { input: body, encoding: 'utf8' }).trim();
}

/** Runs a program until it ends, and returns its stdout. @throws Error with its stderr when it fails. */
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
  // A program that reads no input may end before the input is written.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${stderr || stdout}`);
  return stdout;
}
