import { snapshotOf } from '../../client/checks/snapshot.js';
import { checkEmail } from './matchers.js';

/** The entry point `svc-cli/testing/matchers`: matchers for any `expect`. */

export type * from './email-matchers.js';
export { type Matchers, matchers } from './matchers.js';

/**
 * Returns the HTML of an email, or its text, in a form that is equal for equal content: for a snapshot of any test
 * runner.
 */
export function emailSnapshot(email: unknown): string {
  checkEmail(email, 'toMatchEmailSnapshot()');
  return snapshotOf(email);
}
