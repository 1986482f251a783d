import type { FoundEmail } from '../../../../contract/control/emails/search.js';
import { COUNTED_VALUES_MAX } from '../../../../contract/vocabulary/limits.js';
import { formatCursor } from '../../../../contract/vocabulary/since.js';
import { timestamp } from '../../../context.js';
import type { FoundEmail as Found } from '../../../model/search.js';
import { compileText } from '../../../search/compile-query.js';
import type { ControlHandler, ControlHandlers } from '../context.js';

/** Searches emails. A search may stop before all emails are tested; its cursor continues it. */
const searchEmails: ControlHandler<'emails.search'> = async ({ query }, context) => {
  const { store, clock } = context;
  const { search, limit, offset, cursor } = query;
  const compiled = await compileText({ path: 'search', in: 'parameter' }, search, clock.now());
  await context.extractPending(compiled.needs);
  const found = await store.read.emails.search(compiled, { limit, offset, before: cursor });
  return {
    emails: found.emails.map(present),
    total: found.total,
    total_exact: found.isTotalExact,
    next: found.next === null ? null : formatCursor(found.next),
  };
};

const countEmails: ControlHandler<'emails.counts'> = async (_, { store }) => {
  const { emails } = store.read;
  return {
    statuses: mostFrequent(await emails.countByStatus()),
    senders: mostFrequent(await emails.countBySender(COUNTED_VALUES_MAX)),
    tags: mostFrequent(await emails.countByTag()),
  };
};

function mostFrequent(counts: ReadonlyMap<string, number>): { value: string; count: number }[] {
  const all = Array.from(counts, ([value, count]) => ({ value, count }));
  const byCount = all.sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1));
  return byCount.slice(0, COUNTED_VALUES_MAX);
}

/** Maximum length of a preview. */
const PREVIEW_CHARACTERS = 200;

function present(email: Found): FoundEmail {
  const { id, to, from, subject, status, origin, tags, addedTags, workspace, size, attachments, deliveredAt } = email;
  const { recipients, dropped } = email;
  return {
    ...{ id, to, from, subject, status },
    created_at: timestamp(email.createdAt),
    ...(deliveredAt !== null && { delivered_at: timestamp(deliveredAt) }),
    cursor: formatCursor(email.seq),
    ...{ origin, tags, added_tags: addedTags, workspace },
    read: email.readAt !== null,
    ...{ size, attachment_count: attachments },
    dropped: dropped === 0 ? 'none' : dropped < recipients ? 'some' : 'all',
    parsing: email.parsing,
    preview: email.preview.replace(/\s+/g, ' ').trim().slice(0, PREVIEW_CHARACTERS),
    captured_at: timestamp(email.capturedAt),
  };
}

export const searchHandlers = {
  'emails.search': searchEmails,
  'emails.counts': countEmails,
} satisfies Partial<ControlHandlers>;
