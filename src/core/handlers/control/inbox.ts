import { render } from '../../../contract/service/render-template.js';
import { timestamp } from '../../context.js';
import { contentUrls, frameUrls, imageType, PREVIEWS } from '../../inbox/content-urls.js';
import { isTracked } from '../../mail/tracking/tracking.js';
import { unknownEmail } from '../service/emails.js';
import type { ControlHandler, ControlHandlers } from './context.js';

/** Implements the control API's endpoints for the web inbox. */

const createInboxCode: ControlHandler<'inbox.code', 'inbox'> = async (_, { inbox, right }) => {
  const { code, expiresAt } = await inbox.issueCode(right);
  return { code, required: await inbox.needsCode(), expires_at: timestamp(expiresAt) };
};

const createInboxUrls: ControlHandler<'inbox.urls', 'inbox'> = async ({ params: { id } }, { store, inbox }) => {
  const email = await store.read.emails.find(id);
  if (!email) throw unknownEmail(id);
  const [recipients, attachments] = await Promise.all([
    store.read.emails.recipients(id),
    store.read.emails.attachments(id),
  ]);
  const expiresAt = inbox.urls.expiry();
  const sign = contentUrls(inbox.urls, id, expiresAt);
  return {
    expires_at: timestamp(expiresAt),
    ...(email.html === '' ? { html: null, html_remote: null } : frameUrls(sign)),
    delivered: isTracked(email)
      ? recipients.map(({ address, position }) => ({ address, ...frameUrls(sign, position) }))
      : [],
    raw: sign('raw'),
    eml: sign('eml'),
    attachments: attachments.map(({ position, contentType }) => ({
      index: position,
      url: imageType(contentType) === undefined ? null : sign(`attachments/${position}`, { display: 'yes' }),
      download: sign(`attachments/${position}`),
    })),
  };
};

const createPreview: ControlHandler<'inbox.preview', 'inbox' | 'previews'> = async ({ body }, { inbox, previews }) => {
  const { subject, html, text = '', variables } = body;
  const rendered = render({ subject, html, text }, variables);
  const expiresAt = inbox.urls.expiry();
  const id = await previews.add(rendered.html, expiresAt);
  return {
    ...rendered,
    expires_at: timestamp(expiresAt),
    urls: frameUrls(contentUrls(inbox.urls, `${PREVIEWS}/${id}`, expiresAt)),
  };
};

export const inboxHandlers = {
  'inbox.code': createInboxCode,
  'inbox.urls': createInboxUrls,
  'inbox.preview': createPreview,
} satisfies Partial<ControlHandlers>;
