import manifest from '../../package.json' with { type: 'json' };

/** Runs the command line. Sets the exit code; ending the process is its caller's. */
export async function main(argv: string[], root: string): Promise<void> {
  if (argv.length === 1 && argv[0] === '--version') return printVersion();
  const { runCommand } = await import('./run.js');
  await runCommand(argv, root);
}

/** The line that oclif would print, without loading it: scripts ask for the version to see whether svc is there. */
function printVersion(): void {
  const { name, version } = manifest;
  process.stdout.write(`${name}/${version} ${process.platform}-${process.arch} node-${process.version}\n`);
}
