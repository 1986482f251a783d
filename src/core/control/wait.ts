import type { NearMiss } from '../../contract/control/captured-email.js';
import { invalidField, ServiceError } from '../../contract/vocabulary/errors.js';
import { formatCursor } from '../../contract/vocabulary/parsers/since.js';
import { parseQuery } from '../../contract/vocabulary/query/parse-query.js';
import { QueryError } from '../../contract/vocabulary/query/query-error.js';
import { timestamp } from '../context.js';
import { readCaptured } from '../search/captured-email.js';
import { type CompiledQuery, compileQuery } from '../search/compile-query.js';
import type { Miss } from '../search/near-misses.js';
import type { WaitCondition } from '../search/waiter.js';
import { missesInWindow, windowOf } from '../search/window.js';
import type { ControlHandler } from './context.js';

/** Implements the control API's endpoint that waits for emails. */

/** Maximum number of emails to return if their number is not the expected one. */
const UNEXPECTED_MAX = 10;

export const waitForEmails: ControlHandler<'emails.wait'> = async ({ body }, context) => {
  const { store, clock, waits, signal, stopping, start } = context;
  const { absent, min = 1, max, timeout_ms: timeoutMs } = body;
  const condition: WaitCondition = {
    matcher: await compiled(body.query, clock.now()),
    window: await windowOf(body.since, context.key.workspace ?? undefined, {
      store,
      clock,
      startedAt: start.startedAt,
    }),
    count: absent ? null : { min, max },
  };
  const { isDone, matches, lastSeq } = await waits.wait(condition, { timeoutMs, signal });
  if (!isDone && stopping.aborted) throw stopped();
  const matched = isDone !== absent;
  const shown = matches.slice(0, matched ? (max ?? min) : UNEXPECTED_MAX);
  // A client that has disconnected needs no answer.
  const isMissing = !isDone && !absent && !signal.aborted;
  return {
    matched,
    emails: await readCaptured(
      store,
      shown.map(({ id }) => id),
    ),
    total: matches.length,
    cursor: formatCursor((isDone ? matches[0]?.seq : undefined) ?? lastSeq),
    near_misses: isMissing ? (await missesInWindow(store, condition)).map(presentMiss) : [],
  };
};

/** @throws ServiceError that names the position of the problem. */
async function compiled(query: string, now: number): Promise<CompiledQuery> {
  try {
    return await compileQuery(parseQuery(query), { now });
  } catch (error) {
    throw error instanceof QueryError ? invalidField('query', error.detail) : error;
  }
}

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
