import { changesOf } from '../../contract/vocabulary/webhooks/changed-bodies.js';
import { sameSignature, signatureOf } from '../../contract/webhook-signature.js';

/** Finds out why a webhook's signature is invalid. */

export type Verdict = { valid: true } | { valid: false; cause: string; advice: string };

export function checkSignature(body: Buffer, signature: string, secret: string): Verdict {
  const holds = (bytes: string | Uint8Array, given = signature) => sameSignature(signatureOf(bytes, secret), given);
  if (holds(body)) return { valid: true };

  const bare = bareSignature(signature);
  const text = body.toString('utf8');
  for (const { original, cause, advice } of [{ original: text, cause: '', advice: '' }, ...changesOf(text)]) {
    if (!holds(original, bare)) continue;
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
