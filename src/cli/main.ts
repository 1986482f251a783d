import manifest from '../../package.json' with { type: 'json' };

/**
 * Runs the command line. Sets the exit code; ending the process is its caller's. Answers whether to end it at once, whatever
 * is still under way.
 */
export async function main(argv: string[], root: string): Promise<'done' | 'end'> {
  if (argv.length === 1 && argv[0] === '--version') {
    printVersion();
    return 'done';
  }
  if (argv[0] === 'completion-values') {
    await printCompletions(argv.slice(argv[1] === '--' ? 2 : 1), root);
    return 'end';
  }
  const { runCommand } = await import('./run.js');
  await runCommand(argv, root);
  return 'done';
}

/** What the scripts of `svc completion` ask for at every press of the key, so without loading oclif. */
async function printCompletions(words: string[], root: string): Promise<void> {
  const { complete } = await import('./completion/complete.js');
  const text = await complete(words, root);
  await new Promise((resolve) => process.stdout.once('error', resolve).write(text, resolve));
}

/** The line that oclif would print, without loading it: scripts ask for the version to see whether svc is there. */
function printVersion(): void {
  const { name, version } = manifest;
  process.stdout.write(`${name}/${version} ${process.platform}-${process.arch} node-${process.version}\n`);
}
