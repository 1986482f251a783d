import type { Client } from '../../client/client.js';
import type { Pagination } from '../../contract/fields.js';
import { LOGGED_REQUESTS_MAX } from '../../contract/vocabulary/limits.js';
import { nearestName } from '../../contract/vocabulary/nearest-name.js';
import { CommandError, NotFoundError, UsageError } from '../errors/exit-codes.js';
import type { TargetFlags } from '../flags/target.js';
import { SUFFIX_CHARACTERS } from '../output/table.js';
import { allPages } from './all-pages.js';
import { nextCommand, sendAdvice } from './next-command.js';

/**
 * Finds the resource that a command reads by `latest` or by the last characters of its id, which differ most. A command
 * that changes something takes full ids only.
 */

export const LATEST = 'latest';

interface Listed {
  id: string;
  /** What a person recognizes it by. */
  about: string;
}

interface Kind {
  noun: string;
  plural: string;
  /** The command that lists all. */
  list: string;
  /** The command that creates one; undefined if no command does. */
  create?: string;
  readPage(client: Client, query: { limit: number; offset: number }): Promise<Listing>;
}

interface Listing {
  items: Listed[];
  pagination: Pagination;
}

const kinds = {
  email: {
    noun: 'email',
    plural: 'emails',
    list: 'emails list',
    readPage: async (client, query) => {
      const { emails, pagination } = await client.call('emails.list', { query });
      return { items: emails.map(({ id, to, subject }) => ({ id, about: `${to}, ${subject}` })), pagination };
    },
  },
  delivery: {
    noun: 'delivery',
    plural: 'deliveries',
    list: 'webhooks deliveries',
    create: 'webhooks trigger email.delivered',
    readPage: async (client, query) => {
      const { deliveries, pagination } = await client.control('deliveries.list', { query });
      return { items: deliveries.map(({ id, type, url }) => ({ id, about: `${type} to ${url}` })), pagination };
    },
  },
  'smtp-session': {
    noun: 'SMTP session',
    plural: 'SMTP sessions',
    list: 'smtp sessions',
    readPage: async (client) => {
      const { sessions } = await client.control('smtp-sessions.list', { query: { limit: LOGGED_REQUESTS_MAX } });
      const items = sessions.map(({ id, client: { address }, helo }) => ({ id, about: `${address}, ${helo ?? ''}` }));
      return { items, pagination: { total: items.length, limit: items.length, offset: 0, has_more: false } };
    },
  },
  webhook: {
    noun: 'webhook',
    plural: 'webhooks',
    list: 'webhooks list',
    create: 'webhooks create --events all --url URL',
    readPage: async (client) => {
      const { webhooks } = await client.call('webhooks.list', {});
      const items = webhooks.map(({ id, url }) => ({ id, about: url }));
      return { items, pagination: { total: items.length, limit: items.length, offset: 0, has_more: false } };
    },
  },
} satisfies Record<string, Kind>;

export type ResourceKind = keyof typeof kinds;

/** Maximum number of resources to search for an id, the newest. */
const SEARCHED = 10_000;
const ID_CHARACTERS = /^[0-9a-z]{1,26}$/i;

/** Returns the id of the newest resource for `latest`; any other argument unchanged. @throws NotFoundError without one. */
export async function idOrLatest(
  client: Client,
  name: ResourceKind,
  argument: string,
  flags: TargetFlags,
): Promise<string> {
  if (argument !== LATEST) return argument;
  const kind: Kind = kinds[name];
  const { items } = await kind.readPage(client, { limit: 1, offset: 0 });
  const [newest] = items;
  if (newest) return newest.id;
  if (name === 'email')
    throw new NotFoundError('No emails yet.', sendAdvice(client.isRemote ? 'remote' : 'local', flags));
  const hint = kind.create === undefined ? undefined : `Create one with: ${nextCommand(kind.create, flags)}`;
  throw new NotFoundError(`No ${kind.plural} yet.`, hint);
}

/**
 * Returns the id for a full id, the end of one, or `latest`.
 * @throws UsageError when the end is too short; CommandError when several ids have it; NotFoundError when none has.
 */
export async function idToRead(
  client: Client,
  name: ResourceKind,
  argument: string,
  flags: TargetFlags,
): Promise<string> {
  if (ID_CHARACTERS.test(argument) && argument.length < SUFFIX_CHARACTERS) {
    throw new UsageError(
      `${JSON.stringify(argument)} is too short for an ID: pass at least its last ${SUFFIX_CHARACTERS} characters.`,
      nearestName(argument, [LATEST]) && `Did you mean ${LATEST}?`,
    );
  }
  if (argument === LATEST || !isIdSuffix(argument)) return idOrLatest(client, name, argument, flags);
  const kind: Kind = kinds[name];
  const found: Listed[] = [];
  let searched = 0;
  for await (const { items } of allPages((query) => kind.readPage(client, query))) {
    found.push(...items.filter(({ id }) => endsWith(id, argument)));
    searched += items.length;
    if (searched >= SEARCHED) break;
  }
  return theOnly(found, argument, kind.noun, `Run "${nextCommand(kind.list, flags)}" to see all IDs.`);
}

/** Returns whether the argument may be the end of an id. */
export function isIdSuffix(argument: string): boolean {
  return ID_CHARACTERS.test(argument) && argument.length >= SUFFIX_CHARACTERS;
}

export function endsWith(id: string, suffix: string): boolean {
  return id.endsWith(suffix.toLowerCase());
}

/** Number of ids that an error lists. */
const SHOWN = 10;

/** Returns the id of the only resource found. @throws as `idToRead` does. */
export function theOnly(found: readonly Listed[], suffix: string, noun: string, hint: string): string {
  const [first, second] = found;
  if (!first) throw new NotFoundError(`No ${noun} ID ends with ${JSON.stringify(suffix)}.`, hint);
  if (!second) return first.id;
  throw new CommandError(
    `${found.length} ${noun} IDs end with ${JSON.stringify(suffix)}.`,
    'Pass more characters of the ID.',
    found.slice(0, SHOWN).map(({ id, about }) => ({ path: id, message: about })),
  );
}
