import type { ErrorDetail } from './errors.js';
import type { Outcome } from './outcome.js';

/** Checks which details apply to an outcome. Separate from the schemas, so that commands start without zod. */

/** The fields of a request that describe an outcome. */
export interface OutcomeDetails {
  outcome: Outcome;
  bounce_type?: string | undefined;
  complaint_type?: string | undefined;
  drop_reason?: string | undefined;
  reason?: unknown;
  delay?: unknown;
  url?: unknown;
  user_agent?: unknown;
  ip_address?: unknown;
}

/** Returns the details that do not apply to the outcome, with the reason for each. */
export function incompatibleDetails(details: OutcomeDetails): ErrorDetail[] {
  const { outcome } = details;
  const found: ErrorDetail[] = [];
  const check = (path: Exclude<keyof OutcomeDetails, 'outcome'>, fits: boolean, message: string) => {
    if (details[path] !== undefined && !fits) found.push({ path, message });
  };
  const bounces = outcome === 'bounced' || outcome === 'soft-bounced';
  const engages = outcome === 'opened' || outcome === 'clicked';
  const soft = outcome === 'soft-bounced';
  check('bounce_type', bounces, 'requires the outcome bounced');
  check('bounce_type', !soft || details.bounce_type !== 'hard', 'must not be hard with the outcome soft-bounced');
  check('reason', bounces, 'requires the outcome bounced or soft-bounced');
  check('complaint_type', outcome === 'complained', 'requires the outcome complained');
  check('drop_reason', outcome === 'dropped', 'requires the outcome dropped');
  check('delay', outcome !== 'dropped' && outcome !== 'none', `cannot be used with the outcome ${outcome}`);
  check('user_agent', engages, 'requires the outcome opened or clicked');
  check('ip_address', engages, 'requires the outcome opened or clicked');
  check('url', outcome === 'clicked', 'requires the outcome clicked');
  return found;
}
