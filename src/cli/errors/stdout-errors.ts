/**
 * Handles failed writes to stdout or stderr: reports the first one on stderr, stops a command that runs until a signal,
 * and sets exit code 1. When a reader closes the pipe (`svc emails list | head -1`), that is not
 * an error.
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

/** Prints an error. Loads its modules only now, because most commands never need them. */
async function report(message: string, json: boolean): Promise<void> {
  const { CommandError } = await import('./exit-codes.js');
  const { printError, reportError } = await import('./error-report.js');
  printError(reportError(new CommandError(message)), json);
}
