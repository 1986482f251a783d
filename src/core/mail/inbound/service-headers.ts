import { describeIssue } from '../../../contract/issues.js';
import { SendEmail } from '../../../contract/service/emails.js';
import { render } from '../../../contract/service/render-template.js';
import { invalidField, ServiceError } from '../../../contract/vocabulary/errors.js';
import { DAY_MS, SCHEDULE_AHEAD_DAYS } from '../../../contract/vocabulary/limits.js';
import {
  type ServiceHeader,
  type ServiceHeaderValues,
  serviceHeaders,
  TRACK_NONE,
  trackedKinds,
} from '../../../contract/vocabulary/service-headers.js';
import { shortened } from '../../../contract/vocabulary/text.js';
import type { ServiceWarning } from '../../../contract/vocabulary/warnings.js';
import { timestamp } from '../../context.js';
import type { EmailContent } from '../../model/emails.js';
import type { TemplateRecord } from '../../model/resources.js';
import { scheduleWarnings, unrenderedPlaceholders, unusedVariables } from '../content-warnings.js';

/**
 * Reads what the X-Service-… headers of an SMTP message request, with the rules of the fields of REST. An invalid value
 * is ignored with a warning, for which a strict server refuses the message.
 */

export interface RequestedBySender {
  tags: string[];
  scheduledAt: number | null;
  /** The ID of the template to render; null without one. */
  templateId: string | null;
  variables: Record<string, unknown> | null;
  trackOpens: boolean;
  trackClicks: boolean;
  warnings: ServiceWarning[];
}

const NOTHING_REQUESTED: RequestedBySender = {
  ...{ tags: [], scheduledAt: null, templateId: null, variables: null },
  ...{ trackOpens: false, trackClicks: false, warnings: [] },
};

/** Reads the headers of a message that was accepted at `now`. */
export function readRequested(
  values: ServiceHeaderValues,
  { html, text }: Pick<EmailContent, 'html' | 'text'>,
  now: number,
): RequestedBySender {
  if (Object.values(values).every((value) => value === null)) return NOTHING_REQUESTED;
  const warnings: ServiceWarning[] = [];
  const read = <T>(header: ServiceHeader, parse: (value: string) => T): T | null => {
    const value = values[header];
    if (value === null) return null;
    try {
      return parse(value);
    } catch (error) {
      if (!(error instanceof ServiceError) && !(error instanceof SyntaxError)) throw error;
      warnings.push(invalid(header, reasonOf(error)));
      return null;
    }
  };
  const tags = read('tags', readTags) ?? [];
  const scheduledAt = read('schedule', (value) => checkSchedule(checked('scheduled_at', value), now));
  const requestedTemplate = read('template', (value) => checked('template_id', value) ?? null);
  const variables = read('variables', readVariables);
  const tracked = read('track', readTracked) ?? [];
  const hasBody = html.trim() !== '' || text.trim() !== '';
  if (requestedTemplate !== null && hasBody) warnings.push(unusedTemplate());
  if (values.template === null && variables !== null) warnings.push(...unusedVariables(variables).map(ofHeader));
  warnings.push(...scheduleWarnings(scheduledAt, now));
  return {
    ...{ tags, scheduledAt, variables, warnings },
    templateId: hasBody ? null : requestedTemplate,
    trackOpens: tracked.includes('opens'),
    trackClicks: tracked.includes('clicks'),
  };
}

/**
 * Returns the content that a template renders, with the subject of the message if it has one; the content unchanged, and
 * a warning, if it cannot be rendered.
 */
export function renderRequested(
  { templateId, variables }: Pick<RequestedBySender, 'templateId' | 'variables'>,
  content: EmailContent,
  template: TemplateRecord | undefined,
): { content: EmailContent; templateId: string | null; warnings: ServiceWarning[] } {
  if (!template) {
    const message = `template ${JSON.stringify(shortened(templateId ?? ''))} not found`;
    return { content, templateId: null, warnings: [invalid('template', message)] };
  }
  const source = { subject: content.subject || template.subject, html: template.html, text: template.text };
  try {
    const rendered = render(source, variables ?? {});
    return { content: { ...content, ...rendered }, templateId, warnings: unrenderedPlaceholders(source) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { content, templateId: null, warnings: [invalid('variables', error.message)] };
  }
}

/** Returns the reason without the name of a field, which the header has no part in. */
function reasonOf(error: ServiceError | SyntaxError): string {
  if (error instanceof SyntaxError) return 'must be a JSON object';
  return error.details?.[0]?.message ?? error.message;
}

type Field = 'tags' | 'scheduled_at' | 'template_id' | 'variables';

/** Checks a value as REST does. @throws ServiceError with the reason. */
function checked<Name extends Field>(name: Name, value: unknown) {
  const read = SendEmail.shape[name].safeParse(value, { error: describeIssue });
  if (read.success) return read.data as ReturnType<(typeof SendEmail)['shape'][Name]['parse']>;
  throw new ServiceError('invalid', read.error.issues[0]?.message ?? 'is invalid');
}

/** Reads tags that are separated by commas. */
function readTags(value: string): string[] {
  const tags = value
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  return checked('tags', tags) ?? [];
}

function readVariables(value: string): Record<string, unknown> {
  return checked('variables', JSON.parse(value)) ?? {};
}

/** Reads `opens`, `clicks`, `opens, clicks` or `none`. */
function readTracked(value: string): string[] {
  const kinds = value.split(',').map((kind) => kind.trim().toLowerCase());
  if (kinds.length === 1 && kinds[0] === TRACK_NONE) return [];
  if (kinds.every((kind) => (trackedKinds as readonly string[]).includes(kind))) return kinds;
  throw new ServiceError('invalid', `must be ${trackedKinds.join(', ')}, both separated by a comma, or ${TRACK_NONE}`);
}

function invalid(header: ServiceHeader, reason: string): ServiceWarning {
  return { code: 'invalid_header', path: serviceHeaders[header], message: reason };
}

function unusedTemplate(): ServiceWarning {
  const message = 'is not used, because the message has a body';
  return { code: 'unused_template', path: serviceHeaders.template, message };
}

function ofHeader(warning: ServiceWarning): ServiceWarning {
  return {
    ...warning,
    path: serviceHeaders.variables,
    message: `are not used, because ${serviceHeaders.template} is missing`,
  };
}

/** Returns the time to send at; null to send at once. */
export function checkSchedule(at: number | undefined, now: number, scheduleDays = SCHEDULE_AHEAD_DAYS): number | null {
  if (at === undefined) return null;
  if (at <= now) throw invalidField('scheduled_at', `must be in the future (now: ${timestamp(now)})`);
  if (at > now + scheduleDays * DAY_MS) {
    throw invalidField('scheduled_at', `must be at most ${scheduleDays} ${scheduleDays === 1 ? 'day' : 'days'} ahead`);
  }
  return at;
}
