import type { EmailRelease } from '../../../contract/control/emails/release.js';
import { timestamp } from '../../context.js';
import type { Release } from '../../model/received.js';
import { beingParsed, unknownEmail } from '../../resources/emails.js';
import type { ControlHandler } from '../context.js';

/** Implements the control API's endpoint that sends a captured email through a real SMTP server. */

export const releaseEmail: ControlHandler<'emails.release'> = async ({ params: { id }, body }, context) => {
  const email = await context.store.read.emails.find(id);
  if (!email) throw unknownEmail(id);
  if (await context.store.read.emails.isParsing(id)) throw beingParsed(id);
  return describeRelease(await context.releases.release(email, body.to));
};

export function describeRelease({
  releasedAt,
  relay,
  mailFrom,
  recipients,
  reply,
  error,
  rejected,
}: Release): EmailRelease {
  return {
    released_at: timestamp(releasedAt),
    relay,
    mail_from: mailFrom,
    rcpt_to: recipients,
    reply,
    error,
    rejected,
  };
}
