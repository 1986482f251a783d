import { run, settings } from '@oclif/core';
import { renderError, reportError } from './error-report.js';
import { exitCodeOf, exitCodes } from './exit-codes.js';

/** Runs the command that argv names. Sets the exit code. */
export async function runCommand(argv: string[], root: string): Promise<void> {
  // A reader that has seen enough (`svc emails list | head -1`) is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  // Under NODE_ENV=test and development, oclif looks for TypeScript sources of the command line; here there are none.
  settings.enableAutoTranspile = false;
  try {
    await run(argv, root);
  } catch (error) {
    // What no command caught: an unknown command, or a wrong name of a topic.
    const code = exitCodeOf(error);
    if (code !== 0) {
      const { hintForCommand } = await import('./did-you-mean.js');
      const report = reportError(error, 'svc', code === exitCodes.usage ? hintForCommand(argv, root) : undefined);
      process.stderr.write(argv.includes('--json') ? `${JSON.stringify({ error: report })}\n` : renderError(report));
    }
    process.exitCode = code;
  }
}
