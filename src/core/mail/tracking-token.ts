import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Core } from '../context.js';

/**
 * The tokens of tracking links. A token names an email, a recipient by its position, and for a click a link by its position
 * in the HTML. It contains no URL, so a forged one could only lead to a link of an email. It is signed with a secret of the
 * data directory.
 */

export interface TrackingTarget {
  emailId: string;
  /** The recipient's position in the email's list, from 0. */
  recipient: number;
  /** The link's position in the HTML, from 0; null for the pixel. */
  link: number | null;
}

/** The first part of every token, so that a later version can still read the tokens of old mail. */
const VERSION = '1';
/** 132 of the 256 bits: enough that it cannot be guessed, and short enough for a URL. */
const SIGNATURE_CHARACTERS = 22;
const SECRET_CHARACTERS = 43;
export const SECRET_SETTING = 'tracking_secret';

const TOKEN = /^(1\.([0-9a-z]{1,64})\.(0|[1-9]\d{0,5})(?:\.(0|[1-9]\d{0,6}))?)~([\w-]{22})$/;

export function signToken({ emailId, recipient, link }: TrackingTarget, secret: string): string {
  const place = link === null ? '' : `.${link}`;
  const claim = `${VERSION}.${emailId.replace(/^msg_/, '')}.${recipient}${place}`;
  return `${claim}~${signatureOf(claim, secret)}`;
}

/** Returns what a token names; undefined unless it is exactly as `signToken` returned it. */
export function readToken(token: string, secret: string): TrackingTarget | undefined {
  const [, claim, id, recipient, link, signature] = TOKEN.exec(token) ?? [];
  if (claim === undefined || signature === undefined) return undefined;
  // Compares the text instead of the decoded bytes, because base64 has several spellings of one value.
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(claim, secret)))) return undefined;
  return { emailId: `msg_${id}`, recipient: Number(recipient), link: link === undefined ? null : Number(link) };
}

/** Reads the stored secret; an empty one is invalid. */
export const readSecret = (value: string) => value || undefined;

/** Returns the secret of this data directory. Creates it when it is first needed. */
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
