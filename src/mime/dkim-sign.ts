import { createHash, createSign } from 'node:crypto';
import type { DkimIdentity } from '../core/ports.js';
import { canonicalBody, canonicalHeader, headerLines } from './dkim-canonical.js';

/**
 * Creates DKIM signatures (RFC 6376): rsa-sha256, relaxed/relaxed. A composed message has CRLF line ends and ASCII
 * headers.
 */

/** Each is signed once more often than it occurs, so that none can be added or duplicated (section 8.15). */
const SIGNED_HEADERS = [
  'From',
  'To',
  'Cc',
  'Subject',
  'Date',
  'Message-ID',
  'MIME-Version',
  'Content-Type',
  'Reply-To',
] as const;

/** RFC 5322 section 2.1.1 recommends lines of at most 78 characters. */
const FOLDED_CHARACTERS = 72;

/** Returns the message with its signature on top; the same bytes for the same message, key and time. */
export function signDkim(message: Buffer, { domain, selector, privateKey }: DkimIdentity, signedAt: Date): Buffer {
  const headerEnd = message.indexOf('\r\n\r\n') + 2;
  const headers = headerLines(message.toString('latin1', 0, headerEnd));
  const { names, lines } = coveredHeaders(headers);
  const signature = [
    'DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;',
    ` d=${domain}; s=${selector}; t=${Math.floor(signedAt.getTime() / 1000)};`,
    ` h=${names.join(':').replace(/.{1,60}:(?=.)/g, '$&\r\n  ')};`,
    ` bh=${bodyHash(message.toString('latin1', headerEnd + 2))};`,
    ' b=',
  ].join('\r\n');
  // The signature covers its own header with an empty b=, and no line break after it (section 3.7).
  const covered = [...lines, canonicalHeader(signature, 'relaxed')].join('\r\n');
  const b = createSign('RSA-SHA256').update(covered, 'latin1').sign(privateKey, 'base64');
  const folded = b.match(new RegExp(`.{1,${FOLDED_CHARACTERS}}`, 'g'))?.join('\r\n  ');
  return Buffer.concat([Buffer.from(`${signature}${folded}\r\n`, 'latin1'), message]);
}

/** Returns the `h=` list and the canonicalized headers that it names, from the bottom up (section 5.4.2). */
function coveredHeaders(headers: string[]): { names: string[]; lines: string[] } {
  const names: string[] = [];
  const lines: string[] = [];
  for (const name of SIGNED_HEADERS) {
    const present = headers.filter(
      (header) => header.slice(0, header.indexOf(':')).toLowerCase() === name.toLowerCase(),
    );
    names.push(...present.map(() => name), name);
    lines.push(...present.reverse().map((header) => canonicalHeader(header, 'relaxed')));
  }
  return { names, lines };
}

/** Returns the hash of the canonicalized body. Section 3.7. */
function bodyHash(body: string): string {
  return createHash('sha256').update(canonicalBody(body, 'relaxed'), 'latin1').digest('base64');
}
