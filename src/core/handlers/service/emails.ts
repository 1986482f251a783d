import type { EmailDetail, SendEmail } from '../../../contract/service/emails.js';
import { checkVariables, render } from '../../../contract/service/render-template.js';
import type { RenderedTemplate } from '../../../contract/service/templates.js';
import { normalizeAddress, readAnyAddress } from '../../../contract/vocabulary/addresses.js';
import { isFilterStatus } from '../../../contract/vocabulary/emails.js';
import { invalidField, ServiceError } from '../../../contract/vocabulary/errors.js';
import {
  type Outcome,
  outcomes,
  readOutcome,
  SIMULATE_HEADER,
  UPSTREAM_ERROR,
} from '../../../contract/vocabulary/outcomes.js';
import { shortened } from '../../../contract/vocabulary/text.js';
import { assertWithinQuota } from '../../account/quota.js';
import { checkSendingDomain, rememberDomain } from '../../account/sending-domain.js';
import {
  type CallContext,
  type Handler,
  ifExists,
  ownerOf,
  type ServiceHandlers,
  timestamp,
  timestampOrNull,
} from '../../context.js';
import { composedFields } from '../../mail/composed-fields.js';
import {
  leftoverPlaceholders,
  scheduleWarnings,
  sizeWarnings,
  unrenderedPlaceholders,
  unusedVariables,
} from '../../mail/content-warnings.js';
import { afterParsing } from '../../mail/inbound/message-reader.js';
import { checkSchedule } from '../../mail/inbound/service-headers.js';
import { mailboxOf, requestedRecipients } from '../../mail/recipients.js';
import { simulatorWarnings } from '../../mail/states/outcomes.js';
import { dispatchEmail, scheduleSending, sendingDelay } from '../../mail/states/send-and-deliver.js';
import type { Attachment } from '../../model/contents.js';
import { type Email, type EmailFilter, newEmail, type Recipient } from '../../model/emails.js';
import type { ShownContent } from '../../model/search.js';
import { paginate } from '../../reads.js';
import type { Transaction } from '../../transaction.js';

/** Sends an email. Specification: Send Email. */
const sendEmail: Handler<'emails.send'> = async ({ body }, context) => {
  const now = context.clock.now();
  const outcome = readSimulate(context.simulate);
  const scheduledAt = checkSchedule(body.scheduled_at, now, context.sendingLimits.scheduleDays);
  const newDomain = await checkSendingDomain(mailboxOf(body.from), context);
  const rendered = await contentOf(body, context);
  if (outcome === UPSTREAM_ERROR) throw new ServiceError('upstream', `${SIMULATE_HEADER} simulates a failure.`);
  const status = scheduledAt === null ? 'sent' : 'scheduled';
  const recipients = requestedRecipients(body, status);
  const attachments = attachmentsOf(body);
  const { recipients: most } = context.sendingLimits;
  if (addressesIn(body) > most)
    throw invalidField('to', `to, cc and bcc together must contain at most ${most} addresses`);
  context.warn(...sizeWarnings({ recipients: addressesIn(body), attachments, html: rendered.html }));
  context.warn(...scheduleWarnings(scheduledAt, now));
  const email = newEmail({
    id: context.ids.next('msg', now),
    origin: 'rest',
    status,
    from: body.from,
    fromMailbox: mailboxOf(body.from),
    to: [body.to].flat().join(', '),
    replyTo: body.reply_to ?? null,
    templateId: body.template_id ?? null,
    variables: body.variables ?? null,
    tags: body.tags ?? [],
    workspace:
      context.key.workspace ??
      (await ownerOf(
        context.store.read,
        recipients.map(({ mailbox }) => mailbox),
      )),
    size: sizeOf(rendered, attachments),
    ...context.caller(),
    trackOpens: body.track_opens,
    trackClicks: body.track_clicks,
    createdAt: now,
    capturedAt: context.clock.systemNow(),
    scheduledAt,
    sentAt: scheduledAt === null ? now : null,
    subject: rendered.subject,
    html: rendered.html,
    text: rendered.text,
  });
  const shown = await shownContent(email, recipients, context);
  await context.store.write(async (tx) => {
    // It may have been deleted since the request began.
    const workspace = await ifExists(tx, email.workspace);
    await storeEmail(tx, context, { email: { ...email, workspace }, recipients, attachments, shown, outcome });
  });
  if (newDomain !== undefined) rememberDomain(newDomain, context);
  return {
    id: email.id,
    to: email.to,
    from: email.from,
    subject: email.subject,
    // The status before the delivery, which follows the response.
    status,
    created_at: timestamp(now),
    scheduled_at: timestampOrNull(scheduledAt),
    tags: email.tags,
  };
};

/** Returns the outcome that the caller requests for all recipients, or a failure of the call (gap 48). */
function readSimulate(value: string | undefined): Outcome | typeof UPSTREAM_ERROR | undefined {
  if (value === undefined) return undefined;
  if (value.trim().toLowerCase() === UPSTREAM_ERROR) return UPSTREAM_ERROR;
  const outcome = readOutcome(value);
  if (!outcome) throw invalidField(SIMULATE_HEADER, `must be one of ${[...outcomes, UPSTREAM_ERROR].join(', ')}`);
  return outcome;
}

/** Returns the content of the email, from the request or its template. Announces what the content lacks. */
async function contentOf(body: SendEmail, context: CallContext): Promise<RenderedTemplate> {
  if (body.template_id === undefined) {
    if (body.variables) checkVariables(body.variables);
    const content = { subject: body.subject ?? '', html: body.html ?? '', text: body.text ?? '' };
    context.warn(...unusedVariables(body.variables), ...leftoverPlaceholders(content));
    return content;
  }
  const template = await context.store.read.templates.find(body.template_id);
  if (!template) {
    throw new ServiceError('template_not_found', `Template ${JSON.stringify(shortened(body.template_id))} not found.`, [
      { path: 'template_id', message: 'template not found' },
    ]);
  }
  const source = { subject: body.subject ?? template.subject, html: template.html, text: template.text };
  const rendered = render(source, body.variables ?? {});
  context.warn(...unrenderedPlaceholders(source));
  return rendered;
}

/** Returns the number of addresses, with repeated ones. */
function addressesIn({ to, cc = [], bcc = [] }: SendEmail): number {
  return [to, cc, bcc].flat().length;
}

function attachmentsOf(body: SendEmail): Attachment[] {
  return (body.attachments ?? []).map(({ filename, content, contentType }) => ({
    filename,
    contentType,
    contentId: null,
    disposition: 'attachment',
    content: Buffer.from(content, 'base64'),
  }));
}

/** Returns the size of an email's contents in bytes. */
function sizeOf({ subject, html, text }: RenderedTemplate, attachments: readonly Attachment[]): number {
  const texts = Buffer.byteLength(subject) + Buffer.byteLength(html) + Buffer.byteLength(text);
  return attachments.reduce((sum, { content }) => sum + content.byteLength, texts);
}

interface Sending {
  email: Email;
  recipients: Recipient[];
  attachments: Attachment[];
  shown: ShownContent | undefined;
  outcome: Outcome | undefined;
}

/** Returns what searches and previews need of an email from REST; undefined if it cannot be found now. */
export async function shownContent(
  email: Email,
  recipients: readonly Recipient[],
  { showContent }: Pick<CallContext, 'showContent'>,
): Promise<ShownContent | undefined> {
  const shown = await showContent(email.html, null);
  return shown && { ...shown, headers: composedFields(email, recipients) };
}

/** Sends an email or schedules it, and stores it with its warnings. */
export async function storeEmail(
  tx: Transaction,
  context: CallContext,
  { email, recipients, attachments, shown, outcome }: Sending,
): Promise<void> {
  const { scheduledAt, createdAt: now, workspace } = email;
  context.warn(...(await simulatorWarnings(tx, outcome, recipients, workspace)));
  if (scheduledAt === null) {
    const sent = await dispatchEmail(tx, context, { email, recipients, outcome, delayMs: sendingDelay(context) });
    const sentTo = sent.recipients.filter(({ status }) => status !== 'dropped').length;
    await assertWithinQuota(tx, context, { workspace, now, sentTo });
    await tx.emails.insert(sent.email, sent.recipients, attachments, shown);
  } else {
    await assertWithinQuota(tx, context, { workspace, now, sentTo: 0 });
    await tx.emails.insert(email, recipients, attachments, shown);
    await scheduleSending(tx, email, outcome);
  }
  for (const warning of context.warnings()) await tx.emails.warn(email.id, warning);
}

/** Lists emails. Specification: List Emails; gaps 29 and 30. */
const listEmails: Handler<'emails.list'> = async ({ query }, { store, warn }) => {
  if (query.status !== undefined && !isFilterStatus(query.status)) {
    const message = `the service may not support the status ${query.status} as a filter`;
    warn({ code: 'status_filter', path: 'status', message });
  }
  if (query.from_date !== undefined && query.to_date !== undefined && query.from_date > query.to_date) {
    const details = [{ path: 'from_date', message: 'must not be later than to_date' }];
    throw new ServiceError('bad_request', 'from_date: must not be later than to_date', details);
  }
  const filter: EmailFilter = {
    ...(query.status && { status: query.status }),
    ...(query.from_date !== undefined && { fromDate: query.from_date }),
    ...(query.to_date !== undefined && { toDate: query.to_date }),
    ...(query.to && { recipient: filterMailbox('to', query.to) }),
    ...(query.from && { sender: filterMailbox('from', query.from) }),
    ...(query.tags?.length && { tags: query.tags }),
  };
  const { items, total } = await store.read.emails.list(filter, query);
  return {
    emails: items.map((email) => ({
      id: email.id,
      to: email.to,
      from: email.from,
      subject: email.subject,
      status: email.status,
      created_at: timestamp(email.createdAt),
      ...(email.deliveredAt !== null && { delivered_at: timestamp(email.deliveredAt) }),
    })),
    pagination: paginate(query, total),
  };
};

const getEmail: Handler<'emails.get'> = async ({ params }, { store }) => {
  const email = await store.read.emails.find(params.id);
  if (!email) throw unknownEmail(params.id);
  return detailOf(email);
};

/** Returns an email in the service's form. */
export function detailOf(email: Omit<Email, 'parseError'>): EmailDetail {
  return {
    id: email.id,
    to: email.to,
    from: email.from,
    subject: email.subject,
    html: email.html,
    text: email.text,
    status: email.status,
    created_at: timestamp(email.createdAt),
    sent_at: timestampOrNull(email.sentAt),
    delivered_at: timestampOrNull(email.deliveredAt),
    opened_at: timestampOrNull(email.openedAt),
    opens_count: email.opensCount,
    clicks_count: email.clicksCount,
    tags: email.tags,
    bounce_reason: email.bounceReason,
    template_id: email.templateId,
    variables: email.variables,
  };
}

/** Cancels a scheduled email. Returns a conflict if it was already sent or cancelled (gap 10). */
const cancelEmail: Handler<'emails.cancel'> = ({ params }, { store }) =>
  store.write(async (tx) => {
    const email = await tx.emails.findWithoutBodies(params.id);
    if (!email) throw unknownEmail(params.id);
    if (await tx.emails.isParsing(email.id)) throw beingParsed(email.id);
    if (email.status !== 'scheduled') {
      throw new ServiceError(
        'conflict',
        `Email ${email.id} is ${email.status}; only a scheduled email can be cancelled.`,
        undefined,
        `Run "svc emails inspect ${email.id}" to see when that happened.`,
      );
    }
    for (const { mailbox } of await tx.emails.recipients(email.id)) {
      await tx.emails.setRecipient(email.id, mailbox, { status: 'cancelled', dueAt: null, steps: null });
    }
    await tx.emails.setStatus(email.id, { status: 'cancelled' });
    return { id: email.id, status: 'cancelled' as const };
  });

/** Returns the error of a change to an email whose message is not parsed. */
export function beingParsed(id: string): ServiceError {
  return new ServiceError('conflict', `Email ${id} is still being parsed.`, undefined, 'Try again in a few seconds.');
}

export function unknownEmail(id: string): ServiceError {
  return new ServiceError('not_found', `Email ${JSON.stringify(shortened(id))} not found.`);
}

/** Returns the mailbox to filter by. The value must be a whole address, with or without a name. Gap 30. */
function filterMailbox(path: string, value: string): string {
  const read = readAnyAddress(value);
  if (!('problem' in read)) return normalizeAddress(read.address);
  throw new ServiceError('bad_request', `${path}: ${read.problem}`, [{ path, message: read.problem }]);
}

export const emailHandlers = {
  'emails.send': sendEmail,
  'emails.list': listEmails,
  'emails.get': afterParsing(getEmail),
  'emails.cancel': afterParsing(cancelEmail),
} satisfies Partial<ServiceHandlers>;
