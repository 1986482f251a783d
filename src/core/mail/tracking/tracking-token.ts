import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Core } from '../../context.js';

/**
 * Signs and reads the tokens of tracking links. A token contains an email ID, the position of a recipient, and for a
 * click the position of a link in the HTML. It contains no URL, so even a forged token could only redirect to a link of
 * an email. Its key is a secret of the data directory.
 */

export interface TrackingTarget {
  emailId: string;
  /** The recipient's position in the email's list, from 0. */
  recipient: number;
  /** The link's position in the HTML, from 0; null for the pixel. */
  link: number | null;
}

/** The first part of every token, so that a later version can still read tokens of earlier emails. */
const VERSION = '1';
/** The length of the signature in base64: 132 of 256 bits, which cannot be guessed and keep the URL short. */
const SIGNATURE_CHARACTERS = 22;
const SECRET_CHARACTERS = 43;
export const SECRET_SETTING = 'tracking_secret';

const TOKEN = /^(1\.([0-9a-z]{1,64})\.(0|[1-9]\d{0,5})(?:\.(0|[1-9]\d{0,6}))?)~([\w-]{22})$/;

export function signToken({ emailId, recipient, link }: TrackingTarget, secret: string): string {
  const place = link === null ? '' : `.${link}`;
  const claim = `${VERSION}.${emailId.replace(/^msg_/, '')}.${recipient}${place}`;
  return `${claim}~${signatureOf(claim, secret)}`;
}

/** Returns the target of a token; undefined unless the token is exactly what `signToken` returned. */
export function readToken(token: string, secret: string): TrackingTarget | undefined {
  const [, claim, id, recipient, link, signature] = TOKEN.exec(token) ?? [];
  if (claim === undefined || signature === undefined) return undefined;
  // Compares the text and not the decoded bytes, because several base64 texts decode to the same bytes.
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(claim, secret)))) return undefined;
  return { emailId: `msg_${id}`, recipient: Number(recipient), link: link === undefined ? null : Number(link) };
}

/** Returns the stored secret; undefined if it is empty, and therefore invalid. */
export const readSecret = (value: string) => value || undefined;

/** Returns the secret of this data directory. Creates it on the first call. */
export async function trackingSecret({ store, ids }: Pick<Core, 'store' | 'ids'>): Promise<string> {
  const kept = await store.read.settings.get(SECRET_SETTING, readSecret);
  if (kept !== undefined) return kept;
  return store.write(async (tx) => {
    const made = (await tx.settings.get(SECRET_SETTING, readSecret)) ?? ids.secret(SECRET_CHARACTERS);
    await tx.settings.set(SECRET_SETTING, made);
    return made;
  });
}

function signatureOf(claim: string, secret: string): string {
  return createHmac('sha256', secret)
    .update(`svc tracking ${claim}`)
    .digest('base64url')
    .slice(0, SIGNATURE_CHARACTERS);
}
