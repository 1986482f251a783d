import { userInfo } from 'node:os';
import manifest from '../../package.json' with { type: 'json' };
import { handleStdoutErrors } from './errors/stdout-errors.js';

/** What people type to see the version. */
const VERSION_WORDS = new Set(['--version', '-v', 'version']);

/**
 * Runs the command line. Sets the exit code; ending the process is its caller's. `binary` is its file, in the package's `bin/`.
 * Answers whether to end it at once, whatever is still under way.
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
  // A command that a signal stopped has given up a reader who takes nothing.
  return process.stdout.writableEnded ? 'end' : 'done';
}

/**
 * Names a shell and a home directory for a user whom the system does not know, as login does. oclif asks the system for what the
 * environment does not name, and the system fails for a user without an account, whom containers often run as.
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
 * What the scripts of `svc completion` ask for at every press of the key, so without loading oclif. `argv` is `--shell NAME`, for
 * bash `--before TEXT`, then `--` and the words.
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
  const asker = { shell: isShell(shell) ? shell : ('bash' as const), before: option('--before') };
  const text = await complete(argv.slice(end + 1), binary, asker);
  await new Promise((resolve) => process.stdout.once('error', resolve).write(text, resolve));
}

/** The line that oclif would print, without loading it: scripts ask for the version to see whether svc is there. */
function printVersion(): void {
  const { name, version } = manifest;
  process.stdout.write(`${name}/${version} ${process.platform}-${process.arch} node-${process.version}\n`);
}
