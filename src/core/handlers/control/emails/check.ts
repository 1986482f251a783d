import { ServiceError } from '../../../../contract/vocabulary/errors.js';
import { checkEmail } from '../../../mail/checks/check-email.js';
import { checkLinks } from '../../../mail/checks/check-links.js';
import { afterParsing } from '../../../mail/inbound/message-reader.js';
import { ProcessorUnavailableError, UnprocessableError } from '../../../ports.js';
import { unknownEmail } from '../../service/emails.js';
import type { ControlCall, ControlHandler, ControlHandlers } from '../context.js';

/** Implements the endpoints that check an email, and show it as mail clients do. */

const checkEmailContent: ControlHandler<'emails.check', 'checkContent' | 'verifyDkim'> = async (
  { params: { id } },
  context,
) => {
  const email = await context.store.read.emails.find(id);
  if (!email) throw unknownEmail(id);
  await requireParsed(id, context);
  return checkEmail(email, context).catch((error: unknown) => {
    if (error instanceof UnprocessableError) throw uncheckable('checked', error);
    throw error;
  });
};

const viewEmail: ControlHandler<'emails.view', 'showAsClient'> = async ({ params: { id }, query }, context) => {
  const email = await context.store.read.emails.find(id);
  if (!email) throw unknownEmail(id);
  await requireParsed(id, context);
  const { html, subject } = email;
  const { client, color_scheme, images } = query;
  const input = { html, subject, client, isDark: color_scheme === 'dark', hasImages: images === 'on' };
  return context.showAsClient(input).catch((error: unknown) => {
    if (error instanceof UnprocessableError) throw uncheckable('shown', error);
    throw error;
  });
};

function uncheckable(what: string, { message }: UnprocessableError): ServiceError {
  const hint =
    'Make the HTML and CSS of the email smaller or simpler, and send it again. Its source and text are still available.';
  return new ServiceError('conflict', `This email cannot be ${what}. ${message}`, undefined, hint);
}

/** Requires that the content and the header fields of an email are known. Clients retry later. */
async function requireParsed(id: string, { store }: ControlCall): Promise<void> {
  if (!(await store.read.emails.isParsing(id))) return;
  throw new ProcessorUnavailableError('The message is still being parsed.');
}

const checkEmailLinks: ControlHandler<'emails.check_links', 'requestLink'> = async (
  { params: { id }, body },
  context,
) => {
  if (!(await context.store.read.emails.find(id))) throw unknownEmail(id);
  await requireParsed(id, context);
  const { links = [] } = (await context.extractsOf(id)) ?? {};
  return checkLinks(
    id,
    links.map(({ href }) => href),
    body.remote,
    context,
  );
};

export const checkHandlers = {
  'emails.check': afterParsing(checkEmailContent),
  'emails.view': afterParsing(viewEmail),
  'emails.check_links': afterParsing(checkEmailLinks),
} satisfies Partial<ControlHandlers>;
