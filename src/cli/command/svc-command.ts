import { dataDirPath } from '../data-dir/find.js';
import { shellQuote } from '../process/shell-quote.js';

/** Completes a command line for a server; undefined if only its address leads to it. */
export type CommandLine = (line: string) => string | undefined;

/**
 * Returns a command line to copy that selects a data directory: `svc dev stop --data-dir ./k`. `env` is the environment
 * of the shell that it is for.
 */
export function svcCommand(command: string, dataDir: string, env: NodeJS.ProcessEnv = process.env): string {
  const found = dataDirPath({}, env, process.cwd()) === dataDir;
  return `svc ${command}${found ? '' : ` --data-dir ${shellQuote(dataDir)}`}`;
}
