import type { CheckPlace, EmailCheck } from '../../contract/control/emails/check.js';
import type { CheckInput } from '../../core/ports.js';
import type { ComputedStyles } from './css/computed-styles.js';
import type { HtmlDocument } from './html/document.js';
import type { Found, Places } from './places.js';

/** What a check of the content reads. */
export interface ContentInput extends CheckInput {
  document: HtmlDocument;
  styles: ComputedStyles;
  /** Positions in the HTML. */
  places: Places;
}

/** The result of a check, without the texts that are always the same. */
export type Finding = Pick<EmailCheck, 'id' | 'passed' | 'details' | 'count' | 'where'>;

/** Returns the result of a check that fails if it found a position. */
export function findingOf(id: string, found: Pick<Found, 'count' | 'where'>, good: string, bad: string): Finding {
  const { count, where } = found;
  return { id, passed: count === 0, details: count === 0 ? good : bad, count, where };
}

/** Returns the result of a check without positions. */
export function plainFinding(id: string, passed: boolean | null, details: string, where: CheckPlace[] = []): Finding {
  return { id, passed, details, count: where.length, where };
}
