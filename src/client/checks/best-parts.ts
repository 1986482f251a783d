import type { CapturedEmail } from '../../contract/control/emails/captured-email.js';

/** Selects the links and codes of an email that a test most probably needs. */

type Code = CapturedEmail['codes'][number];
type Link = CapturedEmail['links'][number];

/** Returns the most probable code; undefined if the email has none. */
export function bestCode(codes: readonly Code[]): Code | undefined {
  return codes.toSorted((a, b) => b.confidence - a.confidence)[0];
}

/** A code below it is more likely another number. */
const CERTAIN = 0.5;

/** Returns the codes that a test may rely on. */
export function certainCodes(codes: readonly Code[]): Code[] {
  return codes.filter(({ confidence }) => confidence >= CERTAIN);
}

/** Returns the link to verify, reset or sign in; undefined if the email has none. */
export function mainLink(links: readonly Link[]): Link | undefined {
  return links.find(({ kind }) => kind !== 'other' && kind !== 'unsubscribe');
}

/** Returns the links in their order, except that links to unsubscribe come last. */
export function unsubscribeLast(links: readonly Link[]): Link[] {
  const isLast = ({ kind }: Link) => Number(kind === 'unsubscribe');
  return links.toSorted((a, b) => isLast(a) - isLast(b));
}

/** Returns the links in the order of the inbox: those with a purpose first, such as to verify, and to unsubscribe last. */
export function purposefulFirst(links: readonly Link[]): Link[] {
  const isOther = ({ kind }: Link) => Number(kind === 'other');
  return unsubscribeLast(links.toSorted((a, b) => isOther(a) - isOther(b)));
}
