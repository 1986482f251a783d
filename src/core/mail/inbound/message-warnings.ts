import { domainOf } from '../../../contract/vocabulary/addresses.js';
import { nearestName } from '../../../contract/vocabulary/nearest-name.js';
import { outcomes, readOutcome, SIMULATE_HEADER } from '../../../contract/vocabulary/outcomes.js';
import { serviceHeaders } from '../../../contract/vocabulary/service-headers.js';
import { firstFew } from '../../../contract/vocabulary/text.js';
import type { ServiceWarning, WarningCode } from '../../../contract/vocabulary/warnings.js';
import type { ReceivedEnvelope, ReceivedHead } from '../../model/received.js';
import type { ParsedMessage } from '../../ports.js';
import type { WarningOccurrence } from '../../streams/warning-tally.js';
import { leftoverPlaceholders, sizeWarnings } from '../content-warnings.js';

/** Finds what the service may refuse in a message that was received over SMTP. Gaps 34, 36 and 40. */

export function messageWarnings(message: ReceivedEnvelope, parsed: ParsedMessage): ServiceWarning[] {
  const { content, attachments, warnings, service } = parsed;
  const { simulate } = service;
  const found = [...warnings];
  if (simulate !== null && readOutcome(simulate) === undefined) found.push(unknownOutcome(simulate));
  found.push(...parsed.unknownHeaders.map(unknownHeader));
  found.push(...unusualDomains(message));
  found.push(...sizeWarnings({ recipients: message.recipients.length, attachments, html: content.html }));
  found.push(...leftoverPlaceholders(content));
  return found;
}

function unknownOutcome(value: string): ServiceWarning {
  const message = `must be one of ${outcomes.join(', ')}, not ${JSON.stringify(value.slice(0, 80))}`;
  return { code: 'ignored_outcome', path: SIMULATE_HEADER, message };
}

function unknownHeader(name: string): ServiceWarning {
  const nearest = nearestName(name, Object.values(serviceHeaders));
  const suggestion = nearest === undefined ? '' : ` (did you mean ${nearest}?)`;
  return { code: 'unknown_header', path: name, message: `is not a header of the service${suggestion}` };
}

const IGNORED: ReadonlySet<WarningCode> = new Set(['invalid_header', 'ignored_outcome', 'unknown_header']);

/** Returns a finding about an accepted message: its text adds that the header is ignored. */
export function announced(finding: ServiceWarning): ServiceWarning {
  return IGNORED.has(finding.code) ? { ...finding, message: `${finding.message}; the header is ignored` } : finding;
}

/** What requests may not have as a domain: code, form, and the words for it. */
const UNUSUAL_DOMAINS = [
  ['single_label_domain', /^[^._[]+$/, 'a domain without a dot'],
  ['unusual_domain', /[_[]/, 'a domain that is not a host name'],
] as const satisfies [WarningCode, RegExp, string][];

/** Returns the findings about the addresses of an envelope: one of a kind for the sender, and one for all recipients. */
export function unusualDomains({ mailFrom, recipients }: ReceivedEnvelope): ServiceWarning[] {
  const found: ServiceWarning[] = [];
  for (const [path, all] of [
    ['from', [mailFrom]],
    ['to', recipients],
  ] as const) {
    // The recipient postmaster has no domain, and a bounce message no sender.
    const addresses = all.filter((address) => address.includes('@'));
    for (const [code, form, words] of UNUSUAL_DOMAINS) {
      const unusual = addresses.filter((address) => form.test(domainOf(address)));
      if (unusual.length === 0) continue;
      found.push({ code, path, message: `${firstFew(unusual)} ${unusual.length === 1 ? 'has' : 'have'} ${words}` });
    }
  }
  return found;
}

export function occurrenceOf({ id, createdAt }: ReceivedHead): WarningOccurrence {
  return { route: 'SMTP', userAgent: null, at: createdAt, requestId: null, emailId: id, refused: false };
}

/** Returns the occurrence of a finding about a message that is refused now. */
export function refusalAt(at: number): WarningOccurrence {
  return { route: 'SMTP', userAgent: null, at, requestId: null, emailId: null, refused: true };
}
