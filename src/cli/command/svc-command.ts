import { dataDirPath } from '../data-dir/find.js';
import { shellQuote } from '../process/shell-quote.js';

/** Returns a command line to copy that selects a data directory: `svc dev stop --data-dir ./k`. */
export function svcCommand(command: string, dataDir: string): string {
  const found = dataDirPath({}, process.env, process.cwd()) === dataDir;
  return `svc ${command}${found ? '' : ` --data-dir ${shellQuote(dataDir)}`}`;
}
