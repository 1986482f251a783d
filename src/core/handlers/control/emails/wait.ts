import type { NearMiss } from '../../../../contract/control/emails/captured-email.js';
import { ServiceError } from '../../../../contract/vocabulary/errors.js';
import { UNEXPECTED_MAX } from '../../../../contract/vocabulary/limits.js';
import { COUNT_MAX } from '../../../../contract/vocabulary/ranges.js';
import { formatCursor } from '../../../../contract/vocabulary/since.js';
import { timestamp } from '../../../context.js';
import { compileText } from '../../../search/compile-query.js';
import type { Miss } from '../../../search/near-misses.js';
import type { WaitCondition } from '../../../search/waits/waiter.js';
import { missesInWindow, windowOf } from '../../../search/waits/window.js';
import type { ControlHandler, ControlHandlers } from '../context.js';
import { readCaptured } from './captured-email.js';

/** Implements the control API's endpoint that waits for emails. */

/** Milliseconds to wait for the links, codes and header fields of the emails in the response. */
const EXTRACTION_MS = 15_000;

const waitForEmails: ControlHandler<'emails.wait', 'start' | 'stopping' | 'waits'> = async ({ body }, context) => {
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

export const waitHandlers = {
  'emails.wait': waitForEmails,
} satisfies Partial<ControlHandlers>;
