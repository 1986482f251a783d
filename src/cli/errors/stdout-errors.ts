/**
 * Says once, on stderr, that stdout or stderr can no longer be written to, ends what only a signal ends, and makes 1 of the exit
 * code, whatever the command makes of it. A reader that has seen enough (`svc emails list | head -1`) is no error.
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
      void printError(`Cannot write to ${name}: ${error.message}`, argv.includes('--json'));
    });
  }
}

/** What it takes to put it into words is loaded only now: most commands have nothing of the kind to say. */
async function printError(message: string, json: boolean): Promise<void> {
  const { CommandError } = await import('./exit-codes.js');
  const { renderError, reportError } = await import('./error-report.js');
  const { safeJson } = await import('../output/text.js');
  const report = reportError(new CommandError(message));
  process.stderr.write(json ? `${safeJson(JSON.stringify({ error: report }))}\n` : renderError(report));
}
