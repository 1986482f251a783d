import { rfc5322Date } from '../../../contract/vocabulary/helpers/rfc5322-date.js';

/** Keeps automatic releases from sending a message in a circle. */

/** Names the server in the Received field that a release adds. */
const OWN_MARK = '(svc release)';
/** Received fields of a message that has come a long way. RFC 5321 section 6.3 has a larger limit for mail servers. */
const HOPS_MAX = 25;

/** Returns the value of the Received field that a release adds. RFC 5321 section 4.4. */
export function traceOf(emailId: string, now: number): string {
  return `by svc.localhost ${OWN_MARK} id ${emailId};\r\n\t${rfc5322Date(now)}`;
}

/** Returns why a message must not be released automatically; null if it may. `received` are its Received fields. */
export function loopProblem(mailFrom: string, received: readonly string[]): string | null {
  if (mailFrom === '') return 'not released automatically: a message without a sender may be a report of a bounce';
  if (received.some((field) => field.includes(OWN_MARK))) {
    return 'not released automatically: it has been released before';
  }
  return received.length > HOPS_MAX ? `not released automatically: it has more than ${HOPS_MAX} Received fields` : null;
}
