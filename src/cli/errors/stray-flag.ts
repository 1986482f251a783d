import pjson from '../../../package.json' with { type: 'json' };
import { nearestName } from '../../contract/vocabulary/helpers/nearest-name.js';
import { packageRoot, readManifest } from '../completion/manifest.js';
import { UsageError } from './exit-codes.js';

const HELP = ['--help', ...pjson.oclif.additionalHelpFlags];
const VERSION = ['--version', ...pjson.oclif.additionalVersionFlags];

/** Returns the error for a flag without a command or after a topic; undefined when the flag is allowed there. */
export function strayFlag(argv: readonly string[], binary: string): UsageError | undefined {
  const at = argv.findIndex((word) => word.startsWith('-'));
  if (at === -1 || argv.some((word) => HELP.includes(word))) return undefined;
  const words = argv.slice(0, at);
  const id = words.join(':');
  // Some topics are also commands.
  if (at > 0 && readManifest(packageRoot(binary)).commands[id]) return undefined;
  // The value of the flag may be a secret.
  const flag = argv[at]?.replace(/=.*$/s, '') ?? '';
  if (at === 0 && VERSION.includes(flag)) return undefined;
  const before = argv.slice(at).some((word) => !word.startsWith('-'));
  const near = at === 0 && !before && nearestName(flag.replace(/^-+/, ''), ['help', 'version']);
  const place = before ? 'Put flags after the command. ' : '';
  return new UsageError(
    `Unknown flag: ${flag}`,
    near ? `Did you mean --${near}?` : `${place}Run "${['svc', ...words].join(' ')} --help".`,
  );
}
