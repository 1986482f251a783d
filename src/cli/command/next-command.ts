import { dataDirPath } from '../data-dir/find.js';
import type { TargetFlags } from '../flags/target.js';
import { shellQuote } from '../process/shell-quote.js';
import { namedServer } from '../target/target.js';
import { svcCommand } from './svc-command.js';

/** Returns a command line to copy, for the server that these flags select. It never contains an API key. */
export function nextCommand(command: string, flags: TargetFlags): string {
  const { profile, 'base-url': baseUrl, 'data-dir': dataDir, 'api-key': apiKey } = flags;
  const line =
    dataDir === undefined
      ? `svc ${command}`
      : svcCommand(command, dataDirPath({ 'data-dir': dataDir }, {}, process.cwd()));
  return [
    line,
    ...(profile === undefined ? [] : [`--profile ${shellQuote(profile)}`]),
    ...(baseUrl === undefined ? [] : [`--base-url ${shellQuote(baseUrl)}`]),
    // A local server's own key does not need a flag.
    ...(apiKey !== undefined && namedServer(flags, process.env) ? ['--api-key KEY'] : []),
  ].join(' ');
}
