import { ApiFailure, NoControlError } from '../../client/failures.js';
import { changesOf } from '../../contract/vocabulary/webhooks/changed-bodies.js';
import { sameSignature, signatureOf } from '../../contract/webhook-signature.js';
import { nextCommand } from '../command/next-command.js';
import type { TargetFlags } from '../flags/target.js';
import type { Target } from '../target/target.js';

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

/**
 * Returns whether requests are signed, by webhook ID. Empty for a server that does not report it: the service itself
 * never does, and a local server only through its control API.
 */
export async function signedWebhooks({ client, kind }: Target): Promise<Map<string, boolean>> {
  if (kind === 'remote') return new Map();
  try {
    const { webhooks } = await client.control('webhooks.inspect', {});
    return new Map(webhooks.map(({ id, signed }) => [id, signed]));
  } catch (error) {
    if (error instanceof NoControlError || error instanceof ApiFailure) return new Map();
    throw error;
  }
}

/** Returns the advice for a webhook without a secret. */
export function toSign(id: string, flags: TargetFlags): string {
  return `Requests are unsigned. To sign them, run: ${nextCommand(`webhooks update ${id} --secret SECRET`, flags)}`;
}
