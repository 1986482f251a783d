import type { Fault } from '../contract/control/simulation/faults.js';
import type { Rule } from '../contract/control/simulation/outcomes.js';
import { formatDuration } from '../contract/vocabulary/durations.js';

/** Describes a rule in one line. */
export function describeRule(rule: Rule): string {
  const { bounce_type, complaint_type, drop_reason, reason, delay_ms, workspace } = rule;
  const details = [
    bounce_type ?? complaint_type ?? drop_reason,
    reason,
    delay_ms === null ? null : `after ${formatDuration(delay_ms)}`,
    workspace === null ? null : `workspace ${workspace}`,
  ];
  return details.filter((detail) => detail !== null).join(', ') || '-';
}

/** Formats the uses of a rule: `1 of 2`, or `3` for a rule without a limit. */
export function usesOf({ used, times }: Rule): string {
  return times === null ? String(used) : `${used} of ${times}`;
}

/** Describes where a fault is injected: `smtp rcpt`, `POST /v1/emails` or `webhook *`. */
export function targetOf({ smtp, http, webhook }: Pick<Fault, 'smtp' | 'http' | 'webhook'>): string {
  if (smtp !== null) return `smtp ${smtp}`;
  return http ?? `webhook ${webhook}`;
}

/** Describes what a fault does, such as `503 upstream_error, delay 2s`. */
export function effectOf(fault: Fault): string {
  const { code, error, delay_ms, drop, truncate, greylist_ms } = fault;
  const refusal = [code, error].filter((part) => part !== null).join(' ');
  const effects = [
    greylist_ms === null ? null : `greylist ${formatDuration(greylist_ms)}`,
    refusal || null,
    delay_ms === null ? null : `delay ${formatDuration(delay_ms)}`,
    drop === null ? null : `drop ${drop}`,
    truncate ? 'truncate' : null,
  ];
  return effects.filter((effect) => effect !== null).join(', ');
}

/** Describes which requests a fault chooses, and its text. */
export function describeFault(fault: Fault): string {
  const { every, probability, seed, after_messages, from, to, match, text, preset, workspace } = fault;
  const details = [
    every === null ? null : `every ${every}`,
    probability === null ? null : `probability ${probability} (seed ${seed})`,
    after_messages === null ? null : `after ${after_messages} messages`,
    from === null ? null : `from ${from}`,
    to === null ? null : `to ${to}`,
    match === null ? null : `match ${match}`,
    text,
    preset === null ? null : `preset ${preset}`,
    workspace === null ? null : `workspace ${workspace}`,
  ];
  return details.filter((detail) => detail !== null).join(', ') || '-';
}

/** Formats the number of injections that are left. */
export function leftOf({ times_left }: Fault): string {
  return times_left === null ? 'unlimited' : String(times_left);
}
