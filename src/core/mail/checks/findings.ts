import type { ContentChecks } from '../../ports.js';
import type { CheckId } from './definitions.js';

/** Creates results of checks that have no positions. */

export type Finding = ContentChecks['findings'][number];

export function finding(id: CheckId, passed: boolean | null, details: string): Finding {
  return { id, passed, details, count: 0, where: [] };
}

/** Returns the result of a check that needs the state of a domain. */
export function notAdded(id: CheckId, from: string): Finding {
  return finding(id, null, `Not checked, because domain ${from} has not been added.`);
}

/** Returns the next step after a record was not found. */
export function verifyHint(domain: string): string {
  return `Publish it, then run "svc domains verify ${domain}".`;
}
