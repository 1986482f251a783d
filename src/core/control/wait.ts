import type { CapturedEmail, NearMiss } from '../../contract/control/captured-email.js';
import { invalidField, ServiceError } from '../../contract/vocabulary/errors.js';
import { formatCursor } from '../../contract/vocabulary/parsers/since.js';
import { timestamp } from '../context.js';
import type { Miss } from '../search/near-misses.js';
import type { EmailRef, WaitCondition } from '../search/waiter.js';
import { missesInWindow, windowOf } from '../search/window.js';
import type { ControlContext, ControlHandler } from './context.js';

/** Implements the control API's endpoint that waits for emails. */

/** Number of emails to return if more match than expected. */
const REPORTED_MAX = 10;

export const waitForEmails: ControlHandler<'emails.wait'> = async ({ body }, context) => {
  const { clock, waits, signal, stopping, start } = context;
  const { absent, min = 1, max, timeout_ms: timeoutMs } = body;
  const condition: WaitCondition = {
    matcher: await compileQuery(readQuery(body.query), { now: clock.now() }),
    window: await windowOf(body.since, undefined, { ...context, startedAt: start.startedAt }),
    count: absent ? null : { min, max },
  };
  const { isDone, matches, lastSeq } = await waits.wait(condition, { timeoutMs, signal });
  if (!isDone && stopping.aborted) throw stopped();
  const matched = isDone !== absent;
  const emails = await described(matches.slice(0, matched ? (max ?? min) : REPORTED_MAX), context);
  const isMissing = !matched && !absent && !signal.aborted;
  return {
    matched,
    emails,
    total: matches.length,
    cursor: formatCursor(isDone ? (matches[0]?.seq ?? lastSeq) : lastSeq),
    near_misses: isMissing ? (await missesInWindow(context.store, condition)).map(presentMiss) : [],
  };
};
