import { envelopeFields, eventFields, locationFields } from '../../contract/vocabulary/event-types.js';
import { sameSignature, signatureOf } from '../../contract/webhook-signature.js';
import { trimEndOf } from '../output/trim.js';

/** Finds out why a webhook's signature is invalid. */

export type Verdict = { valid: true } | { valid: false; cause: string; advice: string };

export function checkSignature(body: Buffer, signature: string, secret: string): Verdict {
  const holds = (bytes: string | Uint8Array, given = signature) => sameSignature(signatureOf(bytes, secret), given);
  if (holds(body)) return { valid: true };

  const bare = bareSignature(signature);
  const text = body.toString('utf8');
  for (const { bytes, cause, advice } of [{ bytes: text, cause: '', advice: '' }, ...variantsOf(text)]) {
    if (!holds(bytes, bare)) continue;
    const ofSignature = bare === signature ? [] : [signatureCause(signature)];
    const causes = [...ofSignature, ...(cause ? [cause] : [])];
    if (causes.length === 0) break;
    return { valid: false, cause: causes.join('; '), advice: advice || 'Pass the header’s value unchanged.' };
  }
  if (!/^[0-9a-f]{64}$/.test(bare)) {
    return {
      valid: false,
      cause: 'the signature is not 64 hexadecimal digits',
      advice: 'Pass the complete value of the X-Service-Signature header.',
    };
  }
  return {
    valid: false,
    cause: 'wrong secret, or the body’s content was changed',
    advice: 'Use the secret that "svc webhooks listen" prints, or the one you passed to "svc webhooks create".',
  };
}

/** Returns the hexadecimal digits of a signature: without whitespace and prefixes such as sha256=, in lower case. */
function bareSignature(signature: string): string {
  return signature
    .trim()
    .replace(/^[A-Za-z][\w-]*=/, '')
    .toLowerCase();
}

function signatureCause(signature: string): string {
  if (/=/.test(signature)) return 'the signature has a prefix';
  return /[A-F]/.test(signature) ? 'the signature is in upper case' : 'there is white space around the signature';
}

interface Variant {
  bytes: string;
  cause: string;
  advice: string;
}

const USE_RAW_BODY = 'Verify the raw bytes of the request before parsing them.';

/** Returns possible originals of the body, before it was changed on its way here. */
function variantsOf(text: string): Variant[] {
  const variants: Variant[] = [];
  const add = (bytes: string | undefined, cause: string) => {
    if (bytes !== undefined && bytes !== text) variants.push({ bytes, cause, advice: USE_RAW_BODY });
  };
  add(trimEndOf(text, '\r\n'), 'a line break was added at the end of the body');
  add(text.replace(/^\ufeff/, ''), 'a byte order mark was added at the start of the body');
  const parsed = parse(text);
  if (parsed === undefined) return variants;
  const compact = JSON.stringify(parsed);
  add(compact, withoutBlanks(text) === compact ? 'the body was reformatted' : 'the body’s text is escaped differently');
  add(JSON.stringify(inOrder(parsed)), 'the body’s keys are in a different order');
  return variants;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

/** Returns JSON without whitespace between its tokens. */
function withoutBlanks(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|\s+/g, (token) => (token.startsWith('"') ? token : ''));
}

/** Returns an event's envelope with its keys in the order that svc uses. */
function inOrder(parsed: unknown): unknown {
  const { type, data } = (parsed ?? {}) as { type?: string; data?: Record<string, unknown> };
  const order = Object.entries(eventFields).find(([name]) => name === type)?.[1];
  if (!order || typeof data !== 'object' || data === null) return parsed;
  const location = data.location as Record<string, unknown> | undefined;
  const ordered = pick({ ...data, ...(location && { location: pick(location, locationFields) }) }, order);
  return pick({ ...(parsed as object), data: ordered }, envelopeFields);
}

function pick(record: Record<string, unknown>, order: readonly string[]): Record<string, unknown> {
  const rest = Object.keys(record).filter((name) => !order.includes(name));
  return Object.fromEntries([...order.filter((name) => name in record), ...rest].map((name) => [name, record[name]]));
}
