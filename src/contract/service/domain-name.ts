import * as z from 'zod';
import {
  emailDomain,
  endsWithNumber,
  hasValidLabels,
  hasValidXnLabels,
  isAscii,
  UNICODE_LABEL_PATTERN,
} from '../vocabulary/domains.js';

/**
 * Defines valid names of sending domains: those of DNS and mail servers, with at least two labels. Responses
 * show their ASCII form.
 */

/** RFC 1035 section 2.3.4: a name has at most 253 characters. The longest label that svc puts before a domain takes 18. */
const DOMAIN_CHARACTERS = 253 - '_svc-verification.'.length;

const ADDRESS = /^(?:\d+(?:\.\d+){3}|[\da-f]*:[\da-f:.]*|\[.*\])$/;

/**
 * Returns the form in which a sending domain is stored and compared: in lower case and ASCII; the name itself in lower
 * case if it has no ASCII form. Gap 50.
 */
export function sendingDomain(name: string): string {
  const lower = name.toLowerCase();
  return isAscii(lower) ? lower : (emailDomain(lower) ?? lower);
}

/** Returns why a lower-case text is not a valid name of a sending domain; undefined if it is valid. */
function problemOf(name: string): string | undefined {
  if (name.length > DOMAIN_CHARACTERS) {
    return `must be at most ${DOMAIN_CHARACTERS} characters, so that the names of its DNS records are not too long`;
  }
  if (ADDRESS.test(name)) return 'must be a domain name, not an IP address';
  if (!isAscii(name)) return 'must be a valid international domain name, or its ASCII form with xn-- labels';
  if (name.endsWith('.')) return 'must not end with a dot';
  if (!hasValidLabels(name)) {
    return 'must be a domain name such as mail.example.com: labels of letters, digits and inner hyphens, joined by dots';
  }
  if (!name.includes('.')) return 'must have at least two labels, such as mail.example.com';
  if (endsWithNumber(name)) return 'must not end with a label that is only digits';
  if (!hasValidXnLabels(name)) return 'must not contain an invalid xn-- label';
  return undefined;
}

export const DomainName = z
  .string()
  .superRefine((value, context) => {
    const message = problemOf(sendingDomain(value));
    if (message) context.addIssue({ code: 'custom', message });
  })
  .transform(sendingDomain)
  .meta({
    override: {
      type: 'string',
      maxLength: DOMAIN_CHARACTERS,
      // A name in Unicode has more rules than a pattern can hold.
      pattern: `^${UNICODE_LABEL_PATTERN}(?:\\.${UNICODE_LABEL_PATTERN})+$`,
      not: { pattern: '\\.[0-9]+$' },
    },
    description: 'A domain name, in Unicode or ASCII; letters may be of either case.',
    examples: ['mail.example.com'],
  });
