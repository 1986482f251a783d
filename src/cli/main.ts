import { userInfo } from 'node:os';
import manifest from '../../package.json' with { type: 'json' };

/** Arguments that print the version. */
const VERSION_WORDS = new Set(['--version', '-v', 'version']);

/**
 * Runs the command line and sets the exit code. `binary` is the path of its file in the package's `bin/`.
 * Returns `end` when the caller must end the process at once, even with unfinished work.
 */
export async function main(argv: string[], binary: string): Promise<'done' | 'end'> {
  handleStdoutErrors(argv);
  completeEnvironment();
  if (argv.length === 1 && VERSION_WORDS.has(argv[0] ?? '')) {
    printVersion();
    return 'done';
  }
  if (argv[0] === 'completion-values') {
    await printCompletions(argv.slice(1), binary);
    return 'end';
  }
  const { runCommand } = await import('./run.js');
  await runCommand(argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv, binary);
  // After a signal, a command closes stdout if its reader reads nothing.
  return process.stdout.writableEnded ? 'end' : 'done';
}

/**
 * Sets a shell and a home directory for a user without an account, as containers often have. Without them, oclif would
 * ask the system, which fails.
 */
function completeEnvironment(): void {
  const { HOME, SHELL } = process.env;
  if (HOME !== undefined && SHELL !== undefined) return;
  try {
    userInfo();
  } catch {
    process.env.HOME = HOME ?? '/';
    process.env.SHELL = SHELL ?? '/bin/sh';
  }
}

/**
 * Prints the words that the scripts of `svc completion` request on every press of the tab key. It does not load oclif,
 * to save time. `argv` is `--shell NAME`, for bash `--before TEXT`, then `--` and the words.
 */
async function printCompletions(argv: string[], binary: string): Promise<void> {
  const { complete } = await import('./completion/complete.js');
  const { isShell } = await import('./completion/shell-words.js');
  const end = argv.indexOf('--');
  const option = (name: string) => {
    const at = argv.indexOf(name);
    return at !== -1 && at < end ? argv[at + 1] : undefined;
  };
  const shell = option('--shell');
  const requestingShell = { shell: isShell(shell) ? shell : ('bash' as const), before: option('--before') };
  const text = await complete(argv.slice(end + 1), binary, requestingShell);
  await new Promise((resolve) => process.stdout.once('error', resolve).write(text, resolve));
}

/**
 * Prints the line that oclif would print, without loading it, because scripts use it to find out whether svc is
 * installed.
 */
function printVersion(): void {
  const { name, version } = manifest;
  process.stdout.write(`${name}/${version} ${process.platform}-${process.arch} node-${process.version}\n`);
}

/**
 * Handles failed writes to stdout or stderr: reports the first one on stderr, stops a command that runs until a signal,
 * and sets exit code 1. When a reader closes the pipe (`svc emails list | head -1`), that is not
 * an error.
 */
function handleStdoutErrors(argv: readonly string[]): void {
  let failed = false;
  for (const [name, stream] of Object.entries({ stdout: process.stdout, stderr: process.stderr })) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE' || failed) return;
      failed = true;
      process.once('exit', () => {
        process.exitCode = 1;
      });
      if (process.listenerCount('SIGTERM') > 0) process.emit('SIGTERM', 'SIGTERM');
      void report(`Cannot write to ${name}: ${error.message}`, argv.includes('--json'));
    });
  }
}

/** Prints an error. Loads its modules only now, because most commands never need them. */
async function report(message: string, json: boolean): Promise<void> {
  const { CommandError } = await import('./errors/exit-codes.js');
  const { printError, reportError } = await import('./errors/error-report.js');
  printError(reportError(new CommandError(message)), json);
}
