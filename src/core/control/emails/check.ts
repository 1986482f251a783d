import { checkEmail } from '../../mail/checks/check-email.js';
import { checkLinks } from '../../mail/checks/check-links.js';
import { ProcessorUnavailableError } from '../../ports.js';
import { unknownEmail } from '../../resources/emails.js';
import type { ControlHandler } from '../context.js';

/** Implements the endpoints that check an email. */

export const checkEmailContent: ControlHandler<'emails.check'> = async ({ params: { id } }, context) => {
  const email = await context.store.read.emails.find(id);
  if (!email) throw unknownEmail(id);
  // Its content and its header fields are not known yet. Clients try again.
  if (await context.store.read.emails.isPlaceholder(id)) throw new ProcessorUnavailableError(STILL_PARSED);
  return checkEmail(email, context);
};

const STILL_PARSED = 'The message is still being parsed.';

export const checkEmailLinks: ControlHandler<'emails.check_links'> = async ({ params: { id }, body }, context) => {
  if (!(await context.store.read.emails.find(id))) throw unknownEmail(id);
  const { links = [] } = (await context.extractsOf(id)) ?? {};
  return checkLinks(
    id,
    links.map(({ href }) => href),
    body.remote,
    context,
  );
};
