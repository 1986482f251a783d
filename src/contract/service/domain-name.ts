import { z } from 'zod';

/**
 * Defines valid names of sending domains: the rules of DNS and mail servers (RFC 1123 section 2.1), with at least two
 * labels. International names are converted to their ASCII form (RFC 5890).
 */

/** RFC 1035 section 2.3.4: a name has at most 253 characters. The longest label that svc puts before a domain takes 18. */
const DOMAIN_CHARACTERS = 253 - '_svc-verification.'.length;

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const ADDRESS = /^(?:\d+(?:\.\d+){3}|[\da-f]*:[\da-f:.]*|\[.*\])$/;

/** Returns why a lower-case text is not a valid name of a sending domain; undefined if it is valid. */
function problemOf(name: string): string | undefined {
  if (name.length > DOMAIN_CHARACTERS) {
    return `must be at most ${DOMAIN_CHARACTERS} characters, so that the names of its DNS records are not too long`;
  }
  if (ADDRESS.test(name)) return 'must be a domain name, not an IP address';
  if (/[\u0080-\u{10ffff}]/u.test(name)) {
    const ascii = asciiForm(name);
    return `must be in its ASCII form${ascii === undefined ? ', with xn-- labels' : `, ${ascii}`}`;
  }
  if (name.endsWith('.')) return 'must not end with a dot';
  const labels = name.split('.');
  if (!labels.every((label) => LABEL.test(label))) {
    return 'must be labels of 1 to 63 letters, digits and inner hyphens, joined by dots, such as mail.example.com';
  }
  if (labels.length < 2) return 'must have at least two labels, such as mail.example.com';
  if (/^\d+$/.test(labels.at(-1) ?? '')) return 'must not end with a label that is only digits';
  if (asciiForm(name) !== name || !hasValidXnLabels(name)) return 'must not contain an invalid xn-- label';
  return undefined;
}

/** Returns the ASCII form of a name as the URL standard defines it (UTS 46); undefined if it has none. */
function asciiForm(name: string): string | undefined {
  const url = `http://${name}/`;
  if (/[\s/?#@:%[\]\\]/.test(name) || !URL.canParse(url)) return undefined;
  return new URL(url).hostname;
}

/**
 * Checks the xn-- labels of an ASCII name. Node.js 24 and later check them only in names that also have a non-ASCII
 * label.
 */
function hasValidXnLabels(name: string): boolean {
  return asciiForm(`ä.${name}`) !== undefined;
}

export const DomainName = z
  .string()
  .superRefine((value, context) => {
    const message = problemOf(value.toLowerCase());
    if (message) context.addIssue({ code: 'custom', message });
  })
  .transform((value) => value.toLowerCase())
  .meta({
    override: { type: 'string' },
    description: 'A domain name; letters may be of either case.',
    examples: ['mail.example.com'],
  });
