import type { NearMiss } from '../../../../contract/control/emails/captured-email.js';
import type { FoundEmail } from '../../../../contract/control/emails/search.js';
import { ServiceError } from '../../../../contract/vocabulary/errors.js';
import { formatCursor } from '../../../../contract/vocabulary/instants.js';
import { COUNTED_VALUES_MAX, UNEXPECTED_MAX } from '../../../../contract/vocabulary/limits.js';
import { COUNT_MAX } from '../../../../contract/vocabulary/ranges.js';
import { timestamp } from '../../../context.js';
import type { FoundEmail as Found } from '../../../model/search.js';
import { compileText } from '../../../search/compile-query.js';
import type { Miss } from '../../../search/near-misses.js';
import type { WaitCondition } from '../../../search/waits/waiter.js';
import { missesInWindow, windowOf } from '../../../search/waits/window.js';
import type { ControlHandler } from '../context.js';
import { readCaptured } from './captured-email.js';

/** Searches emails. A search may stop before all emails are tested; its cursor continues it. */
export const searchEmails: ControlHandler<'emails.search'> = async ({ query }, context) => {
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

export const countEmails: ControlHandler<'emails.counts'> = async (_, { store }) => {
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

/** Implements the control API's endpoint that waits for emails. */

/** Milliseconds to wait for the links, codes and header fields of the emails in the response. */
const EXTRACTION_MS = 15_000;

export const waitForEmails: ControlHandler<'emails.wait'> = async ({ body }, context) => {
  const { store, clock, waits, signal, stopping, extractPending } = context;
  const { absent, min = 1, timeout_ms: timeoutMs } = body;
  const max = body.max === null ? Number.POSITIVE_INFINITY : body.max;
  const condition: WaitCondition = {
    matcher: await compileText({ path: 'query', in: 'body' }, body.query, clock.now()),
    window: await windowOf(body.since, context.key.workspace ?? undefined, {
      store,
      clock,
      startedAt: context.start.startedAt,
    }),
    count: absent ? null : { min, max },
  };
  const { isDone, matches, lastSeq } = await waits.wait(condition, { timeoutMs, signal });
  if (!isDone && stopping.aborted) throw stopped();
  const matched = isDone !== absent;
  const shownMax = matched ? Math.min(max ?? min, COUNT_MAX) : UNEXPECTED_MAX;
  const shown = matches.slice(0, shownMax).map(({ id }) => id);
  // Without them, a caller would find no link in an email that has one.
  await extractPending('all', shown, EXTRACTION_MS);
  // A client that has disconnected needs no answer.
  const isMissing = !isDone && !absent && !signal.aborted;
  const result = {
    matched,
    emails: await readCaptured(store, shown),
    total: matches.length,
    cursor: formatCursor((isDone ? matches[0]?.seq : undefined) ?? lastSeq),
    near_misses: isMissing ? (await missesInWindow(store, condition)).map(presentMiss) : [],
  };
  // Last, because the emails may be newer than the revocation of the caller's key.
  await context.recheck();
  return result;
};

function stopped(): ServiceError {
  return new ServiceError('unavailable', 'The server stopped during the wait.', undefined, 'Start the server again.');
}

function presentMiss({ document, failed }: Miss): NearMiss {
  const to = document.recipients.filter(({ kind }) => kind === 'to');
  return {
    id: document.id,
    from: document.from,
    to: (to.length > 0 ? to : document.recipients).map(({ address }) => address).join(', '),
    subject: document.subject,
    created_at: timestamp(document.createdAt),
    failed,
  };
}
