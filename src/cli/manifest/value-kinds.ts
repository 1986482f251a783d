import type { ArgEntry, CommandEntry, FlagEntry } from './manifest.js';
import type { NameKind } from './names.js';

/** The kind of name that a value is, unless the options of the flag or argument list the values. */
export type ValueKind =
  | NameKind
  | 'template-or-directory'
  | 'email-status'
  | 'event-type'
  | 'event-types'
  | 'recipient'
  | 'query'
  | 'profile'
  | 'starter'
  | 'file'
  | 'directory';

/** Kinds by command id and the argument's name. `*` stands for every command of a topic. */
export const argumentKinds: Record<string, ValueKind> = {
  'inbox id': 'email',
  'emails:* id': 'email',
  'emails:cancel id': 'scheduled-email',
  'templates:* template': 'template',
  'templates:* name': 'template',
  'templates:render template': 'template-or-directory',
  'templates:* directory': 'directory',
  'templates:init starter': 'starter',
  'domains:* domain': 'domain',
  'api-keys:* id': 'api-key',
  'webhooks:* id': 'webhook',
  'webhooks:deliveries id': 'delivery',
  'webhooks:replay id': 'delivery',
  'webhooks:trigger event': 'event-type',
  'dev:rules:* id': 'rule',
  'dev:faults:* id': 'fault',
  'dev:workspaces:* name': 'workspace',
  'suppressions:remove address': 'suppression',
  'profiles:* name': 'profile',
};

/** Commands that create a resource: its name does not exist yet, so none is offered. */
const MAKES = /:(add|create)$/;

/** Kinds by flag, in any command, or in the commands whose id precedes it. */
export const flagKinds: Record<string, ValueKind> = {
  '--profile': 'profile',
  '--events': 'event-types',
  '--event': 'event-type',
  '--template': 'template',
  '--webhook': 'webhook',
  '--email': 'email',
  '--search': 'query',
  '--workspace': 'workspace',
  'emails:list --status': 'email-status',
  'dev:faults:add --match': 'query',
  'emails:send --to': 'recipient',
  'emails:send --cc': 'recipient',
  'emails:send --bcc': 'recipient',
};

export function argumentKind(
  { id }: Pick<CommandEntry, 'id'>,
  { name }: Pick<ArgEntry, 'name'>,
): ValueKind | undefined {
  if (MAKES.test(id)) return undefined;
  return argumentKinds[`${id} ${name}`] ?? argumentKinds[`${id.replace(/[^:]+$/, '*')} ${name}`] ?? pathKind(name);
}

export function flagKind(
  { id }: Pick<CommandEntry, 'id'>,
  { name, helpValue = '' }: Pick<FlagEntry, 'name' | 'helpValue'>,
): ValueKind | undefined {
  return flagKinds[`${id} --${name}`] ?? flagKinds[`--${name}`] ?? pathKind(helpValue);
}

/** Returns the kind of an argument that names a file or a directory, in any command. */
function pathKind(words: string): ValueKind | undefined {
  if (/\bfile\b/i.test(words)) return 'file';
  return /\bdir(ectory)?\b/i.test(words) ? 'directory' : undefined;
}
