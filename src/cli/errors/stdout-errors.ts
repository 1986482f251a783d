/**
 * Reports once, on stderr, that stdout or stderr can no longer be written, stops a command that only a signal stops, and sets
 * the exit code to 1. A reader that closes the pipe (`svc emails list | head -1`) is not an error.
 */
export function handleStdoutErrors(argv: readonly string[]): void {
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

/** Prints an error. Loads what that needs only now, because most commands never do. */
async function report(message: string, json: boolean): Promise<void> {
  const { CommandError } = await import('./exit-codes.js');
  const { printError, reportError } = await import('./error-report.js');
  printError(reportError(new CommandError(message)), json);
}
