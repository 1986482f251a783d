import { dataDirPath } from '../data-dir/find.js';
import type { TargetFlags } from '../flags/target.js';
import { shellQuote } from '../process/shell-quote.js';
import { namedServer } from '../target/target.js';
import { svcCommand } from './svc-command.js';

/** A command line to be copied, for the server that these flags name. A key that it needs again is never shown. */
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
    // A local server's own key is found.
    ...(apiKey !== undefined && namedServer(flags, process.env) ? ['--api-key KEY'] : []),
  ].join(' ');
}
