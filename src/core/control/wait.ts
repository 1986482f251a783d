import type { NearMiss } from '../../contract/control/captured-email.js';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import { formatCursor } from '../../contract/vocabulary/parsers/since.js';
import { timestamp } from '../context.js';
import { readCaptured } from '../search/captured-email.js';
import { compileText } from '../search/compile-text.js';
import type { Miss } from '../search/near-misses.js';
import type { WaitCondition } from '../search/waiter.js';
import { missesInWindow, windowOf } from '../search/window.js';
import type { ControlHandler } from './context.js';

/** Implements the control API's endpoint that waits for emails. */

/** Maximum number of emails to return if their number is not the expected one. */
const UNEXPECTED_MAX = 10;
const EXTRACTED_AT_ONCE = 50;

export const waitForEmails: ControlHandler<'emails.wait'> = async ({ body }, context) => {
  const { store, clock, waits, signal, stopping, extractPending } = context;
  const { absent, min = 1, max, timeout_ms: timeoutMs } = body;
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
  const shown = matches.slice(0, matched ? (max ?? min) : UNEXPECTED_MAX).map(({ id }) => id);
  // Each call has a time limit.
  for (let start = 0; start < shown.length; start += EXTRACTED_AT_ONCE) {
    await extractPending(shown.slice(start, start + EXTRACTED_AT_ONCE));
  }
  // A client that has disconnected needs no answer.
  const isMissing = !isDone && !absent && !signal.aborted;
  return {
    matched,
    emails: await readCaptured(store, shown),
    total: matches.length,
    cursor: formatCursor((isDone ? matches[0]?.seq : undefined) ?? lastSeq),
    near_misses: isMissing ? (await missesInWindow(store, condition)).map(presentMiss) : [],
  };
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
