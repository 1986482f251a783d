import { createHash, createPublicKey, createVerify, generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { MakeDkimKey, VerifyDkim } from '../core/ports.js';

/** Verifies DKIM signatures (RFC 6376, section 6.1) by a key that svc has. */

/** Returns why no signature by the key is valid; undefined if one is. */
export const verifyDkim: VerifyDkim = async (message, { domain, selector, publicKey }) => {
  const received = Buffer.from(message.buffer, message.byteOffset, message.byteLength).toString('latin1');
  // A file that was added may have the line ends of its editor.
  const text = received.includes('\r\n') ? received : received.replaceAll('\n', '\r\n');
  const end = text.indexOf('\r\n\r\n');
  const headers = headerLines(end < 0 ? text : text.slice(0, end));
  const body = end < 0 ? '' : text.slice(end + 4);
  const signatures = headers
    .filter((line) => nameOf(line) === 'dkim-signature')
    .map((line) => ({ line, tags: tagsOf(line.slice(line.indexOf(':') + 1)) }))
    .filter(({ tags }) => tags.get('d')?.toLowerCase() === domain && tags.get('s') === selector);
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
  const problems = signatures.slice(0, SIGNATURES_MAX).map(({ line, tags }) => {
    if (tags.get('a') !== 'rsa-sha256') return 'its algorithm is not rsa-sha256';
    if (tags.has('l')) return 'it covers only a part of the body';
    if (!coveredNames(tags).includes('from')) return 'it does not cover From';
    const [ofHeader = 'simple', ofBody = 'simple'] = (tags.get('c') ?? '').toLowerCase().split('/').filter(Boolean);
    const hash = createHash('sha256').update(canonicalBody(body, ofBody), 'latin1').digest('base64');
    if (hash !== withoutSpace(tags.get('bh') ?? '')) return 'the body was changed after it was signed';
    const covered = [...coveredHeaders(headers, coveredNames(tags)), line.replace(SIGNATURE_VALUE, '$1')];
    const signed = covered.map((header) => canonicalHeader(header, ofHeader)).join('\r\n');
    const isValid = createVerify('RSA-SHA256')
      .update(signed, 'latin1')
      .verify(key, tags.get('b') ?? '', 'base64');
    return isValid ? undefined : 'a header field was changed after it was signed, or another key signed it';
  });
  return problems.includes(undefined) ? undefined : (problems[0] ?? 'it cannot be read');
};

/** Signatures of one key in a message. */
const SIGNATURES_MAX = 5;
/** The tag b=, and its value. */
const SIGNATURE_VALUE = /([:;][ \t\r\n]{0,99}b[ \t]{0,99}=)[^;]*/;

function nameOf(line: string): string {
  return line.slice(0, line.indexOf(':')).trim().toLowerCase();
}

function withoutSpace(text: string): string {
  return text.replace(/\s/g, '');
}

/** Returns the tags of a signature, without white space around their values. */
function tagsOf(value: string): Map<string, string> {
  return new Map(
    value.split(';').flatMap((tag) => {
      const at = tag.indexOf('=');
      return at < 0 ? [] : [[tag.slice(0, at).trim(), tag.slice(at + 1).trim()] as const];
    }),
  );
}

/** Returns the names of header fields in h=. */
function coveredNames(tags: Map<string, string>): string[] {
  return (tags.get('h') ?? '').split(':').map((name) => name.trim().toLowerCase());
}

/** Returns the header fields with these names, each occurrence from the bottom up (section 5.4.2). */
function coveredHeaders(headers: readonly string[], names: readonly string[]): string[] {
  const remaining = new Map<string, string[]>();
  for (const header of headers) {
    const same = remaining.get(nameOf(header));
    if (same) same.push(header);
    else remaining.set(nameOf(header), [header]);
  }
  return names.flatMap((name) => remaining.get(name)?.pop() ?? []);
}

/** Canonicalizes messages for DKIM signatures: RFC 6376, section 3.4. */

/** Returns the header fields of a header, each with its folded lines. */
export function headerLines(header: string): string[] {
  return header.split(/\r\n(?![ \t])/);
}

/** @param form `relaxed` or `simple` */
export function canonicalHeader(header: string, form: string): string {
  if (form !== 'relaxed') return header;
  const colon = header.indexOf(':');
  const value = header
    .slice(colon + 1)
    .replace(/\r\n/g, '')
    .replace(/[ \t]+/g, ' ')
    .replace(/^ | $/g, '');
  return `${header.slice(0, colon).trim().toLowerCase()}:${value}`;
}

/** @param form `relaxed` or `simple` */
export function canonicalBody(body: string, form: string): string {
  const isRelaxed = form === 'relaxed';
  const source = body.split('\r\n');
  const lines = isRelaxed ? source.map((line) => line.replace(/[ \t]+/g, ' ').replace(/ $/, '')) : source;
  while (lines.at(-1) === '') lines.pop();
  // An empty body has one line in the simple form only.
  return lines.length === 0 && !isRelaxed ? '\r\n' : lines.map((line) => `${line}\r\n`).join('');
}

/** RFC 8301 asks signers for at least 1024 bits and recommends 2048, whose record still fits DNS over UDP. */
const BITS = 2048;

export const makeDkimKey: MakeDkimKey = async () => {
  const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: BITS,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return { privateKey, publicKey: publicKey.toString('base64') };
};
