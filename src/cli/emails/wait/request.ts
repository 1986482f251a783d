import { Errors } from '@oclif/core';
import type { WaitRequest } from '../../../contract/control/emails/wait.js';
import { formatDuration, readDuration } from '../../../contract/vocabulary/durations.js';
import { WAIT_MAX_MS } from '../../../contract/vocabulary/limits.js';
import type { CountRange } from '../../../contract/vocabulary/ranges.js';
import { exitCodes, UsageError } from '../../errors/exit-codes.js';
import { quoted } from '../../output/text.js';
import { type QueryValues, queryOf, sinceOf } from '../query-flags.js';

export interface WaitValues extends QueryValues {
  count?: CountRange | undefined;
  since?: string | undefined;
  absent: boolean;
  extract?: unknown;
  /** In milliseconds. */
  timeout: number;
}

/** Returns the request of a wait. @throws UsageError without anything to wait for. */
export async function waitRequest(
  values: WaitValues,
  env: NodeJS.ProcessEnv,
): Promise<WaitRequest & { timeout_ms: number }> {
  const query = await queryOf(values);
  const { count, since, absent, extract, timeout } = values;
  if (query === '' && !count && since === undefined && !absent && extract === undefined) {
    throw new UsageError(
      'Nothing to wait for.',
      'Pass a condition, such as --to ada@example.test. To wait for any new email, pass --since now.',
    );
  }
  return {
    query,
    timeout_ms: timeout,
    since: sinceOf(since, env),
    ...(absent && { absent }),
    ...(count && { min: count.min, max: count.max ?? null }),
  };
}

const LONGEST = formatDuration(WAIT_MAX_MS);
const WHOLE_SECONDS = /^\d{1,6}$/;

/** Returns milliseconds. A number without a unit is in seconds, as in --timeout of other commands. */
export function readTimeout(text: string): number {
  const milliseconds = readDuration(WHOLE_SECONDS.test(text) ? `${text}s` : text);
  if (milliseconds !== undefined && milliseconds > 0 && milliseconds <= WAIT_MAX_MS) return milliseconds;
  const form = milliseconds === undefined ? 'a duration such as 10s or 2m' : `longer than 0 and at most ${LONGEST}`;
  throw new Errors.CLIError(`must be ${form}, not ${quoted(text)}.`, { exit: exitCodes.usage });
}
