import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Core } from '../context.js';

/**
 * The tokens of tracking links. One names an email, a recipient by its place, and for a click a link by its place in the mail;
 * it holds no URL, so the worst that a forged one could do is lead to a link of a mail. It is signed with a secret of the
 * data directory.
 */

export interface TrackingTarget {
  emailId: string;
  /** The recipient's place among the email's, from 0. */
  recipient: number;
  /** The link's place in the mail, from 0; null for the pixel. */
  link: number | null;
}

/** Stands first in every token, so that another form can follow without old mail going blind. */
const VERSION = '1';
/** 132 of the 256 bits: far more than can be guessed, and short enough for a URL. */
const SIGNATURE_CHARACTERS = 22;
const SECRET_CHARACTERS = 43;
export const SECRET_SETTING = 'tracking_secret';

const TOKEN = /^(1\.([0-9a-z]{1,64})\.(0|[1-9]\d{0,5})(?:\.(0|[1-9]\d{0,6}))?)~([\w-]{22})$/;

export function signToken({ emailId, recipient, link }: TrackingTarget, secret: string): string {
  const place = link === null ? '' : `.${link}`;
  const claim = `${VERSION}.${emailId.replace(/^msg_/, '')}.${recipient}${place}`;
  return `${claim}~${signatureOf(claim, secret)}`;
}

/** What a token names; undefined unless it is exactly as it was made here. */
export function readToken(token: string, secret: string): TrackingTarget | undefined {
  const [, claim, id, recipient, link, signature] = TOKEN.exec(token) ?? [];
  if (claim === undefined || signature === undefined) return undefined;
  // The text is compared and not the bytes it stands for: base64 has several spellings of one value.
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(claim, secret)))) return undefined;
  return { emailId: `msg_${id}`, recipient: Number(recipient), link: link === undefined ? null : Number(link) };
}

/** Anything but nothing: it is compared with no one's. */
export const readSecret = (value: string) => value || undefined;

/** The secret of this data directory; made when it is first needed. */
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
