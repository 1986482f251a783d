import manifest from '../../../package.json' with { type: 'json' };
import { shellQuote } from '../output/text.js';
import { dataDirPath } from './find.js';

/** Another terminal does not have the variables of this one, such as SVC_DATA_DIR. */
export const OTHER_TERMINAL: NodeJS.ProcessEnv = {};

/**
 * Returns what starts svc in a shell. `npm start` of a clone does not install svc, and `npx svc` elsewhere would install
 * another project's package.
 */
export function svcProgram(): string {
  const { npm_package_name, npm_lifecycle_event } = process.env;
  const isClone = npm_package_name === manifest.name && npm_lifecycle_event === 'start';
  return isClone ? `node ${shellQuote(process.argv[1] ?? '')}` : 'svc';
}

/**
 * Returns a command line to copy that selects a data directory: `svc dev stop --data-dir ./k`. `env` is the environment
 * of the shell that it is for.
 */
export function svcCommand(command: string, dataDir: string, env: NodeJS.ProcessEnv = process.env): string {
  return `${svcProgram()} ${command}${dataDirArgument(dataDir, env)}`;
}

/** Returns the flag that selects a data directory, after a space; empty if commands find it without one. */
export function dataDirArgument(dataDir: string, env: NodeJS.ProcessEnv): string {
  const found = dataDirPath({}, env, process.cwd()) === dataDir;
  return found ? '' : ` --data-dir ${shellQuote(dataDir)}`;
}
