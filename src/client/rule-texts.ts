import type { Rule } from '../contract/control/simulation/rules.js';
import { formatDuration } from '../contract/vocabulary/parsers/duration.js';

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
