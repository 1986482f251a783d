import { dataDirPath } from '../data-dir/find.js';
import { svcCommand } from '../data-dir/svc-command.js';
import type { TargetFlags } from '../flags/target.js';
import { shellQuote } from '../output/text.js';
import { namedServer, type Target } from '../target/target.js';

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

/** Returns how to send a first email. A remote server requires more than a recipient, and sends it for real. */
export function sendAdvice(kind: Target['kind'], flags: TargetFlags): string {
  return kind === 'remote'
    ? 'To send one, see: svc emails send --help'
    : `Send one with: ${nextCommand('emails send --to delivered@simulator.test', flags)}`;
}
