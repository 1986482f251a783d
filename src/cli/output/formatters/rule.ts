import type { Rule } from '../../../contract/control/rules.js';
import { formatDuration } from '../../../contract/vocabulary/parsers/duration.js';

/** What a rule says, in one line. */
export function describeRule(rule: Rule): string {
  const { bounce_type, complaint_type, drop_reason, reason, delay_ms } = rule;
  const details = [
    bounce_type ?? complaint_type ?? drop_reason,
    reason,
    delay_ms === null ? null : `after ${formatDuration(delay_ms)}`,
  ];
  return details.filter((detail) => detail !== null).join(', ') || '-';
}

/** `1 of 2`, or `3` for a rule without an end. */
export function usesOf({ used, times }: Rule): string {
  return times === null ? String(used) : `${used} of ${times}`;
}
