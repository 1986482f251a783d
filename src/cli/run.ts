import { run } from '@oclif/core';
import pjson from '../../package.json' with { type: 'json' };
import { printError, reportError } from './errors/error-report.js';
import { exitCodeOf, exitCodes, UsageError } from './errors/exit-codes.js';
import { packageRoot } from './manifest/manifest.js';

/** Attaches the value of sendmail's flag -h, a count of hops. oclif would print the help, and lose the message. */
function withHopCount(argv: readonly string[]): string[] {
  const at = argv.indexOf('-h');
  const end = argv.indexOf('--');
  if (at < 0 || at === argv.length - 1 || (end >= 0 && end < at)) return [...argv];
  return [...argv.slice(0, at), `-h${argv[at + 1]}`, ...argv.slice(at + 2)];
}

/** Runs the command in argv. Sets the exit code. */
export async function runCommand(argv: string[], binary: string): Promise<void> {
  try {
    const words = argv.findIndex((word) => word.startsWith('-'));
    // oclif would show help for a flag after a topic, and treat a leading flag as a command.
    if (words === 0 || (words > 0 && Object.hasOwn(pjson.oclif.topics, argv.slice(0, words).join(':')))) {
      const { strayFlag } = await import('./errors/did-you-mean.js');
      const stray = strayFlag(argv, binary);
      if (stray) throw stray;
    }
    // With plugins, oclif would use SVC_DATA_DIR and SVC_CONFIG_DIR as its own directories, and load code that a
    // package.json there names.
    await run(argv[0] === 'sendmail' ? withHopCount(argv) : argv, {
      root: packageRoot(binary),
      userPlugins: false,
      devPlugins: false,
    });
  } catch (error) {
    // Errors that no command handles: an unknown command or topic.
    const code = exitCodeOf(error);
    if (code !== 0) {
      const { hintForCommand, unexpectedArguments } = await import('./errors/did-you-mean.js');
      const report =
        code === exitCodes.usage && !(error instanceof UsageError)
          ? reportError(unexpectedArguments(argv, binary) ?? error, 'svc', hintForCommand(argv, binary))
          : reportError(error);
      printError(report, argv.includes('--json'));
    }
    process.exitCode = code;
  }
}
