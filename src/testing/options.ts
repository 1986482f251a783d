import { PORT_MAX, planNames } from '../contract/vocabulary/limits.js';
import type { ServerOptions } from './api/server.js';
import { unknownName } from './unknown-name.js';

/** Checks the options of startServer(). Programs in JavaScript have no types that would. */

/** Options that only a server of the kit's own has. */
export const serverOptions = [
  'domains',
  'strict',
  'plan',
  'deliveryDelay',
  'retrySchedule',
  'apiKey',
  'webhookSecret',
  'httpPort',
  'smtpPort',
  'inProcess',
] as const;

const known = new Set<string>([...serverOptions, 'fresh', 'workspace']);

/** A shorter form of the names that the server allows. */
const WORKSPACE = /^[a-z0-9][a-z0-9._-]{0,39}$/;

/** @throws TypeError that names the option, and the values that it can have. */
export function checkOptions(options: ServerOptions): void {
  for (const name of Object.keys(options)) {
    if (!known.has(name)) throw unknownName(name, 'an option of startServer()', [...known]);
  }
  const { workspace, plan, domains, retrySchedule } = options;
  check(
    'workspace',
    workspace,
    '1 to 40 lower-case letters, digits, dots, hyphens or underscores',
    (name) => typeof name === 'string' && WORKSPACE.test(name),
  );
  check('plan', plan, `one of ${planNames.join(', ')}`, (name) => planNames.includes(name));
  check('domains', domains, 'an array of domain names', (names) => Array.isArray(names));
  check('retrySchedule', retrySchedule, "an array of delays such as ['200ms', '1s']", (delays) =>
    Array.isArray(delays),
  );
  for (const name of ['strict', 'inProcess', 'fresh'] as const) {
    check(name, options[name], 'true or false', (value) => typeof value === 'boolean');
  }
  for (const name of ['httpPort', 'smtpPort'] as const) check(name, options[name], 'a port from 0 to 65535', isPort);
}

function isPort(port: unknown): boolean {
  return Number.isInteger(port) && Number(port) >= 0 && Number(port) <= PORT_MAX;
}

function check<Value>(name: string, value: Value | undefined, form: string, isValid: (value: Value) => boolean): void {
  if (value === undefined || isValid(value)) return;
  throw new TypeError(`${name} must be ${form}, not ${JSON.stringify(value)}.`);
}
