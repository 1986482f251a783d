import { dataDirPath } from './find-data-dir.js';
import { shellWord } from './shell-word.js';
import { svcCommand } from './svc-command.js';
import { namedServer, type TargetFlags } from './target.js';

/** A command line to be copied, for the server that these flags name. A key that it needs again is never shown. */
export function nextCommand(command: string, flags: TargetFlags): string {
  const { profile, 'base-url': baseUrl, 'data-dir': dataDir, 'api-key': apiKey } = flags;
  const line =
    dataDir === undefined
      ? `svc ${command}`
      : svcCommand(command, dataDirPath({ 'data-dir': dataDir }, {}, process.cwd()));
  return [
    line,
    ...(profile === undefined ? [] : [`--profile ${shellWord(profile)}`]),
    ...(baseUrl === undefined ? [] : [`--base-url ${shellWord(baseUrl)}`]),
    // A local server's own key is found.
    ...(apiKey !== undefined && namedServer(flags, process.env) ? ['--api-key KEY'] : []),
  ].join(' ');
}
