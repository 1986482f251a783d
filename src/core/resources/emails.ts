import type { SendEmail } from '../../contract/service/emails.js';
import { checkVariables, render } from '../../contract/service/render-template.js';
import type { RenderedTemplate } from '../../contract/service/templates.js';
import { isFilterStatus } from '../../contract/vocabulary/email-statuses.js';
import { invalidField, ServiceError } from '../../contract/vocabulary/errors.js';
import { shortened } from '../../contract/vocabulary/helpers/shorten.js';
import { DAY_MS, SCHEDULE_AHEAD_DAYS } from '../../contract/vocabulary/limits.js';
import {
  type Outcome,
  outcomes,
  readOutcome,
  SIMULATE_HEADER,
  UPSTREAM_ERROR,
} from '../../contract/vocabulary/outcome.js';
import { normalizeAddress, parseAddress, readAnyAddress } from '../../contract/vocabulary/parsers/address.js';
import { type CallContext, type Handler, timestamp, timestampOrNull } from '../context.js';
import {
  leftoverPlaceholders,
  scheduleWarnings,
  sizeWarnings,
  unrenderedPlaceholders,
  unusedVariables,
} from '../mail/content-warnings.js';
import { dispatchEmail, type SendJob, sendingDelay } from '../mail/lifecycle.js';
import { simulatorWarnings } from '../mail/outcomes.js';
import type { Attachment } from '../model/contents.js';
import { type EmailFilter, newEmail, type Recipient, type RecipientKind } from '../model/emails.js';
import { paginate } from '../pagination.js';
import { assertWithinQuota } from './quota.js';
import { checkSendingDomain, rememberDomain } from './sending-domain.js';

/** Sends an email. Specification: Send Email. */
export const sendEmail: Handler<'emails.send'> = async ({ body }, context) => {
  const now = context.clock.now();
  const outcome = readSimulate(context.simulate);
  const scheduledAt = checkSchedule(body.scheduled_at, now);
  const newDomain = await checkSendingDomain(mailboxOf(body.from), context);
  const rendered = await contentOf(body, context);
  if (outcome === UPSTREAM_ERROR) throw new ServiceError('upstream', `${SIMULATE_HEADER} simulates a failure.`);
  const recipients = recipientsOf(body, scheduledAt === null ? 'sent' : 'scheduled');
  const attachments = attachmentsOf(body);
  context.warn(...sizeWarnings({ recipients: addressesIn(body), attachments, html: rendered.html }));
  context.warn(...scheduleWarnings(scheduledAt, now));
  const email = newEmail({
    id: context.ids.next('msg', now),
    origin: 'rest',
    status: scheduledAt === null ? 'sent' : 'scheduled',
    from: body.from,
    fromMailbox: mailboxOf(body.from),
    to: [body.to].flat().join(', '),
    replyTo: body.reply_to ?? null,
    templateId: body.template_id ?? null,
    variables: body.variables ?? null,
    tags: body.tags ?? [],
    trackOpens: body.track_opens,
    trackClicks: body.track_clicks,
    createdAt: now,
    scheduledAt,
    sentAt: scheduledAt === null ? now : null,
    subject: rendered.subject,
    html: rendered.html,
    text: rendered.text,
  });
  await context.store.write(async (tx) => {
    context.warn(...(await simulatorWarnings(tx, outcome, recipients)));
    if (scheduledAt === null) {
      const sent = await dispatchEmail(tx, context, { email, recipients, outcome, delayMs: sendingDelay(context) });
      const sentTo = sent.recipients.filter(({ status }) => status !== 'dropped').length;
      await assertWithinQuota(tx, context, { now, sentTo });
      await tx.emails.insert(sent.email, sent.recipients, attachments);
      for (const warning of context.warnings()) await tx.emails.warn(email.id, warning);
      return;
    }
    await assertWithinQuota(tx, context, { now, sentTo: 0 });
    await tx.emails.insert(email, recipients, attachments);
    for (const warning of context.warnings()) await tx.emails.warn(email.id, warning);
    const payload: SendJob['payload'] = { emailId: email.id, ...(outcome && { outcome }) };
    const job: SendJob = { kind: 'email.send', runAt: scheduledAt, payload };
    await tx.jobs.add(job);
  });
  if (newDomain !== undefined) rememberDomain(newDomain, context);
  return {
    id: email.id,
    to: email.to,
    from: email.from,
    subject: email.subject,
    // The status before the delivery, which follows the response.
    status: email.status,
    created_at: timestamp(now),
    scheduled_at: timestampOrNull(scheduledAt),
    tags: email.tags,
  };
};

/** Lists emails. Specification: List Emails; gaps 29 and 30. */
export const listEmails: Handler<'emails.list'> = async ({ query }, { store, warn }) => {
  if (query.status !== undefined && !isFilterStatus(query.status)) {
    const message = `${query.status} is not among the statuses that the API lists for filters`;
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

export const getEmail: Handler<'emails.get'> = async ({ params }, { store }) => {
  const email = await store.read.emails.find(params.id);
  if (!email) throw unknownEmail(params.id);
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
};

/** Cancels a scheduled email. Returns a conflict if it was already sent or cancelled (gap 10). */
export const cancelEmail: Handler<'emails.cancel'> = ({ params }, { store }) =>
  store.write(async (tx) => {
    const email = await tx.emails.findWithoutBodies(params.id);
    if (!email) throw unknownEmail(params.id);
    if (email.status !== 'scheduled') {
      throw new ServiceError(
        'conflict',
        `Email ${email.id} is ${email.status}; only a scheduled email can be cancelled.`,
      );
    }
    for (const { mailbox } of await tx.emails.recipients(email.id)) {
      await tx.emails.setRecipient(email.id, mailbox, { status: 'cancelled', dueAt: null, steps: null });
    }
    await tx.emails.setStatus(email.id, { status: 'cancelled' });
    return { id: email.id, status: 'cancelled' as const };
  });

export function unknownEmail(id: string): ServiceError {
  return new ServiceError('not_found', `Email ${JSON.stringify(shortened(id))} not found.`);
}

/** Returns the outcome that the caller requests for all recipients, or a failure of the call (gap 48). */
function readSimulate(value: string | undefined): Outcome | typeof UPSTREAM_ERROR | undefined {
  if (value === undefined) return undefined;
  if (value.trim().toLowerCase() === UPSTREAM_ERROR) return UPSTREAM_ERROR;
  const outcome = readOutcome(value);
  if (!outcome) throw invalidField(SIMULATE_HEADER, `must be one of ${[...outcomes, UPSTREAM_ERROR].join(', ')}`);
  return outcome;
}

function checkSchedule(at: number | undefined, now: number): number | null {
  if (at === undefined) return null;
  if (at <= now) throw invalidField('scheduled_at', `must be in the future (now: ${timestamp(now)})`);
  if (at > now + SCHEDULE_AHEAD_DAYS * DAY_MS) {
    throw invalidField('scheduled_at', `must be at most ${SCHEDULE_AHEAD_DAYS} days ahead`);
  }
  return at;
}

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

function addressesIn({ to, cc = [], bcc = [] }: SendEmail): number {
  return [to, cc, bcc].flat().length;
}

/** Returns each mailbox once, with the role in which it occurs first. */
function recipientsOf(body: SendEmail, status: Recipient['status']): Recipient[] {
  const byMailbox = new Map<string, Recipient>();
  const add = (kind: RecipientKind, addresses: string | string[] | undefined) => {
    for (const address of [addresses ?? []].flat()) {
      const mailbox = mailboxOf(address);
      if (!byMailbox.has(mailbox)) byMailbox.set(mailbox, { kind, address, mailbox, status, dueAt: null, steps: null });
    }
  };
  add('to', body.to);
  add('cc', body.cc);
  add('bcc', body.bcc);
  return [...byMailbox.values()];
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

function mailboxOf(address: string): string {
  return normalizeAddress(parseAddress(address).address);
}

/** Returns the mailbox to filter by. The value must be a whole address, with or without a name. Gap 30. */
function filterMailbox(path: string, value: string): string {
  const read = readAnyAddress(value);
  if (!('problem' in read)) return normalizeAddress(read.address);
  throw new ServiceError('bad_request', `${path}: ${read.problem}`, [{ path, message: read.problem }]);
}
