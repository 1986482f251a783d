import * as z from 'zod';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import { SELECTED_IDS_MAX } from '../../contract/vocabulary/limits.js';
import type { EmailTags } from '../../core/model/emails.js';
import type { FoundEmail } from '../../core/model/search.js';
import { compileText } from '../../core/search/compile-query.js';
import {
  type MailpitCall,
  type MailpitHandler,
  type MailpitRequest,
  numberParameter,
  parameter,
  readBody,
  run,
  Text,
} from './calls.js';
import { byName, summaryOf } from './forms.js';
import { readMailpitTime, type TranslatedSearch, translateSearch } from './search-query.js';

/** Lists, searches, deletes and marks emails, and changes their tags. */

const PAGE = 50;
/** Number of emails that one search of the core returns. */
const FOUND_AT_ONCE = 1_000;
/** Maximum number of items in an answer. Mailpit has none. */
const ITEMS_MAX = 1_000;
const OK = 'ok';

export const listMessages: MailpitHandler = async (request, _reply, context) => {
  const { start, limit, before } = pageOf(request);
  const found = await page(context, before, start, limit === 0 ? ITEMS_MAX : limit);
  const counts = await countsOf(context);
  return {
    ...(await answer(context, found, { start, noReplyTo: [] }, counts)),
    messages_count: counts.total,
    messages_unread: counts.unread,
  };
};

export const searchMessages: MailpitHandler = async (request, _reply, context) => {
  const { start, limit, before } = pageOf(request);
  const shown: FoundEmail[] = [];
  let [total, unread] = [0, 0];
  for await (const found of findEmails(context, requiredQuery(request), parameter(request, 'tz'), before)) {
    shown.push(...found.slice(Math.max(0, start - total), Math.max(0, start + limit - total)));
    total += found.length;
    unread += found.filter(({ readAt }) => readAt === null).length;
  }
  return {
    ...(await answer(context, shown, { start, noReplyTo: null }, await countsOf(context))),
    messages_count: total,
    messages_unread: unread,
  };
};

export const deleteSearch: MailpitHandler = async (request, _reply, context) => {
  for await (const found of findEmails(context, requiredQuery(request), parameter(request, 'tz'))) {
    await forEach(found, (ids) => run('emails.delete_selected', { body: { ids, if_exists: true } }, context));
  }
  return OK;
};

const Ids = z.array(Text).optional().default([]);

export const deleteMessages: MailpitHandler = async (request, _reply, context) => {
  const isEmpty = !Buffer.isBuffer(request.body) || request.body.length === 0;
  const { ids } = isEmpty ? { ids: [] } : readBody(request, z.object({ ids: Ids }));
  if (ids.length === 0) await run('emails.delete_selected', { body: { all: true, if_exists: true } }, context);
  await forEach(asFound(ids), (some) =>
    run('emails.delete_selected', { body: { ids: some, if_exists: true } }, context),
  );
  return OK;
};

const ReadStatus = z.object({ read: z.boolean().default(false), ids: Ids, search: Text.default('') });

export const setReadStatus: MailpitHandler = async (request, _reply, context) => {
  const { read, ids, search } = readBody(request, ReadStatus);
  if (ids.length > 0 && search !== '') {
    throw new ServiceError('bad_request', 'The body must have either IDs or Search, not both.', undefined, '');
  }
  if (ids.length === 0 && search === '') {
    await run('emails.mark', { body: { all: true, read, if_exists: true } }, context);
    return OK;
  }
  const batches = search === '' ? [asFound(ids)] : findEmails(context, search, parameter(request, 'tz'));
  for await (const found of batches) {
    await forEach(found, (some) => run('emails.mark', { body: { ids: some, read, if_exists: true } }, context));
  }
  return OK;
};

export const listTags: MailpitHandler = async (_request, _reply, context) => [...(await tagCounts(context)).keys()];

export const setTags: MailpitHandler = async (request, _reply, { store }) => {
  const { ids, tags } = readBody(request, z.object({ ids: Ids, tags: Ids }));
  const cleaned = cleanTags(tags);
  await store.write(async (tx) => {
    for (const id of ids) {
      const email = await tx.emails.findWithoutBodies(id);
      if (email) await tx.emails.setTags(id, replacedTags(email, cleaned));
    }
  });
  return OK;
};

export const renameTag: MailpitHandler = async (request, _reply, context) => {
  const { tag = '' } = request.params;
  const { name: given } = readBody(request, z.object({ name: Text.default('') }));
  const [name] = cleanTags([given]);
  if (name === undefined) throw new ServiceError('bad_request', `invalid tag name: ${given}`, undefined, '');
  const known = [...(await tagCounts(context)).keys()];
  if (name !== tag && known.some((each) => sameTag(each, name) && !sameTag(each, tag))) {
    throw new ServiceError('bad_request', `tag already exists: ${name}`, undefined, '');
  }
  if (name !== tag) await replaceTag(context, tag, name);
  return OK;
};

export const deleteTag: MailpitHandler = async (request, _reply, context) => {
  await replaceTag(context, request.params.tag ?? '');
  return OK;
};

/** Returns how many emails have each tag, in the order of their names. */
export async function tagCounts({ store }: MailpitCall): Promise<Map<string, number>> {
  const counts = await store.read.emails.countByTag();
  return new Map([...counts].sort(([one], [other]) => byName(one, other)));
}

/** Returns tags that Mailpit accepts, each once, in the form in which it keeps them. */
export function cleanTags(tags: readonly string[]): string[] {
  const cleaned = new Map<string, string>();
  for (const tag of tags) {
    const name = tag
      .replace(/[^a-z\d\-_.@]+/gi, ' ')
      .trim()
      .slice(0, TAG_CHARACTERS);
    if (name !== '' && !cleaned.has(name.toLowerCase())) cleaned.set(name.toLowerCase(), name);
  }
  return [...cleaned.values()];
}

const TAG_CHARACTERS = 100;

const sameTag = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** Returns the tags of an email after a client of Mailpit, which has one list of tags, replaced them. */
function replacedTags({ tags }: Pick<EmailTags, 'tags'>, by: readonly string[]): EmailTags {
  return { tags: tags.filter((tag) => by.includes(tag)), addedTags: by.filter((tag) => !tags.includes(tag)) };
}

/** Replaces a tag of all emails, or removes it. */
async function replaceTag(context: MailpitCall, tag: string, by?: string): Promise<void> {
  let isKnown = false;
  for await (const batch of batchesOf(context, 'tag:*')) {
    const found = batch.filter(({ tags, addedTags }) => [...tags, ...addedTags].some((each) => sameTag(each, tag)));
    if (found.length === 0) continue;
    isKnown = true;
    await context.store.write(async (tx) => {
      for (const { id, tags, addedTags } of found) {
        const others = [...tags, ...addedTags].filter((each) => !sameTag(each, tag));
        await tx.emails.setTags(id, replacedTags({ tags }, by === undefined ? others : [...others, by]));
      }
    });
  }
  if (!isKnown) throw new ServiceError('bad_request', `tag not found: ${tag}`, undefined, '');
}

/** Yields the emails that a search of Mailpit finds, newest first, in batches. */
async function* findEmails(
  context: MailpitCall,
  search: string,
  zone: string,
  before = '',
): AsyncGenerator<FoundEmail[]> {
  const { text, parts } = translateSearch(search, zone);
  for await (const found of batchesOf(context, `${text} ${before}`)) {
    if (parts.length === 0) yield found;
    else yield await withParts(context, found, parts);
  }
}

async function withParts({ store }: MailpitCall, found: FoundEmail[], parts: TranslatedSearch['parts']) {
  const matches = await Promise.all(
    found.map(async ({ id, attachments: count }) => {
      const attachments = count === 0 ? [] : await store.read.emails.attachments(id);
      return parts.every(
        ({ disposition, wanted }) => attachments.some((each) => each.disposition === disposition) === wanted,
      );
    }),
  );
  return found.filter((_, index) => matches[index]);
}

/** Yields the emails that a query finds. A batch may be changed or deleted before the next one is read. */
async function* batchesOf(context: MailpitCall, text: string): AsyncGenerator<FoundEmail[]> {
  const matcher = await matcherOf(context, text);
  let before: number | undefined;
  do {
    const { emails, next } = await context.store.read.emails.search(matcher, { limit: FOUND_AT_ONCE, before });
    yield emails;
    before = next ?? undefined;
  } while (before !== undefined && !context.signal.aborted);
}

async function page(context: MailpitCall, text: string, offset: number, limit: number): Promise<FoundEmail[]> {
  const matcher = await matcherOf(context, text);
  return (await context.store.read.emails.search(matcher, { limit, offset })).emails;
}

/** Compiles a query. What it tests is known then of every email that was accepted before. */
async function matcherOf(context: MailpitCall, text: string) {
  const matcher = await compileText({ path: 'query', in: 'parameter' }, text.trim(), context.clock.now());
  await context.parsePending();
  await context.extractPending('shown');
  return matcher;
}

/** Returns the ID of the newest email, or of the newest that the parameter `query` finds. */
export async function latestId(request: MailpitRequest, context: MailpitCall): Promise<string | undefined> {
  const search = parameter(request, 'query').trim();
  if (search === '') return (await page(context, '', 0, 1))[0]?.id;
  for await (const [latest] of findEmails(context, search, parameter(request, 'tz'))) if (latest) return latest.id;
  return undefined;
}

function pageOf(request: MailpitRequest) {
  const start = numberParameter(request, 'start', 0, 0);
  const limit = Math.min(numberParameter(request, 'limit', 0, PAGE), ITEMS_MAX);
  const instant = readMailpitTime(parameter(request, 'before'), '');
  return { start, limit, before: instant === undefined ? '' : `before:${new Date(instant).toISOString()}` };
}

function requiredQuery(request: MailpitRequest): string {
  const query = parameter(request, 'query').trim();
  if (query === '') throw new ServiceError('bad_request', 'Error: no search query', undefined, '');
  return query;
}

export async function countsOf({ store }: MailpitCall): Promise<{ total: number; unread: number }> {
  const byStatus = await store.read.emails.countByStatus();
  const total = [...byStatus.values()].reduce((sum, count) => sum + count, 0);
  return { total, unread: await store.read.emails.countUnread() };
}

async function answer(
  context: MailpitCall,
  found: readonly FoundEmail[],
  { start, noReplyTo }: { start: number; noReplyTo: [] | null },
  { total, unread }: { total: number; unread: number },
) {
  const { emails } = context.store.read;
  const documents = await emails.documents(found.map(({ id }) => id));
  const messages = await Promise.all(
    documents.map(async (email) =>
      summaryOf(email, email.attachments.length === 0 ? [] : await emails.attachments(email.id), noReplyTo),
    ),
  );
  const tags = [...(await tagCounts(context)).keys()];
  return { total, unread, count: messages.length, start, tags, messages };
}

const asFound = (ids: readonly string[]) => [...new Set(ids)].map((id) => ({ id }));

async function forEach(found: readonly { id: string }[], change: (ids: string[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < found.length; from += SELECTED_IDS_MAX) {
    await change(found.slice(from, from + SELECTED_IDS_MAX).map(({ id }) => id));
  }
}
