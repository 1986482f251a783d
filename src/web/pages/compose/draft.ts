import { ApiFailure } from '../../../client/failures.js';
import type { ControlOperations, ServiceOperations } from '../../../client/operations.js';
import { FORM_PROBLEM, readAnyAddress } from '../../../contract/vocabulary/addresses.js';
import { readDuration } from '../../../contract/vocabulary/durations.js';
import type { AttachmentInput } from '../../api/attachments.js';
import type { Message } from './message.js';

/** What the form has. Texts have the names of the API, and lists are separated by commas. */
export interface Draft {
  transport: 'api' | 'smtp';
  from: string;
  to: string;
  cc: string;
  bcc: string;
  reply_to: string;
  subject: string;
  /** The ID of a template, whose content replaces `html` and `text`; empty without one. */
  template_id: string;
  /** JSON. */
  variables: string;
  html: string;
  text: string;
  tags: string;
  scheduled_at: string;
  track_opens: boolean;
  track_clicks: boolean;
}

export const EMPTY: Draft = {
  transport: 'api',
  from: 'shop@example.test',
  to: '',
  cc: '',
  bcc: '',
  reply_to: '',
  subject: '',
  template_id: '',
  variables: '{}',
  html: '',
  text: '',
  tags: '',
  scheduled_at: '',
  track_opens: true,
  track_clicks: true,
};

/** Returns the fields for a new email like this one. */
export function draftOf(email: ControlOperations['emails.captured']['result']): Draft {
  const list = (kind: string) =>
    email.recipients
      .filter((each) => each.kind === kind)
      .map(({ address }) => address)
      .join(', ');
  return {
    ...EMPTY,
    from: email.from,
    to: list('to'),
    cc: list('cc'),
    bcc: list('bcc'),
    reply_to: email.reply_to ?? '',
    subject: email.subject,
    text: email.text,
    html: email.html,
    tags: email.tags.join(', '),
  };
}

/** Each entry of a list is one address: the server's text would refuse several. */
const ENTRY_PROBLEM = 'must have the form user@host or Name <user@host>';

/** Splits a list at its commas, except those in quotes. A quote without an end takes the rest. */
function splitList(text: string): string[] {
  const parts = text.match(/(?:"(?:[^"\\]|\\.)*(?:"|\\?$)|[^,\n"])+/gs) ?? [];
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** Returns the body of a request that sends the draft. Empty fields are left out, and the server checks the others. */
export function requestOf(draft: Draft, attachments: readonly AttachmentInput[], now: number) {
  const { from, subject, reply_to, template_id, html, text, track_opens, track_clicks } = draft;
  const texts = { from, subject, reply_to, ...(template_id === '' ? { html, text } : { template_id }) };
  const lists = (['to', 'cc', 'bcc', 'tags'] as const).map((name) => [name, splitList(draft[name])] as const);
  const schedule = draft.scheduled_at.trim();
  const after = readDuration(schedule);
  const body = {
    ...Object.fromEntries([...Object.entries(texts), ...lists].filter(([, value]) => value.length > 0)),
    ...(template_id !== '' && { variables: variablesOf(draft.variables) }),
    ...(attachments.length > 0 && { attachments }),
    ...(schedule !== '' && { scheduled_at: after === undefined ? schedule : new Date(now + after).toISOString() }),
    track_opens,
    track_clicks,
  };
  return body as ServiceOperations['emails.send']['request']['body'];
}

function variablesOf(json: string): unknown {
  try {
    return JSON.parse(json.trim() || '{}');
  } catch (error) {
    throw invalid([{ path: 'variables', message: `must be JSON: ${(error as Error).message}` }]);
  }
}

/** Returns a message of these fields, and its envelope. @throws ApiFailure with each address that is invalid. */
export function messageOf(draft: Draft, attachments: readonly AttachmentInput[]) {
  const problems: { path: string; message: string }[] = [];
  const read = (name: 'from' | 'to' | 'cc' | 'bcc' | 'reply_to', isRequired = false) => {
    const addresses = splitList(draft[name]);
    if (isRequired && addresses.length === 0) problems.push({ path: name, message: 'is required' });
    return addresses.flatMap((address) => {
      const found = readAnyAddress(address);
      if (!('problem' in found)) return [found];
      const problem = found.problem === FORM_PROBLEM ? ENTRY_PROBLEM : found.problem;
      problems.push({ path: name, message: `${address} ${problem}` });
      return [];
    });
  };
  const [from, to, cc, bcc, replyTo] = [
    read('from', true),
    read('to', true),
    read('cc'),
    read('bcc'),
    read('reply_to'),
  ];
  if (from.length > 1) problems.push({ path: 'from', message: 'must be one address' });
  if (problems.length > 0) throw invalid(problems);
  const message: Message = {
    from,
    to,
    cc,
    replyTo,
    subject: draft.subject,
    text: draft.text,
    html: draft.html,
    attachments,
  };
  const envelope = {
    mail_from: from[0]?.address ?? '',
    rcpt_to: [...to, ...cc, ...bcc].map(({ address }) => address),
  };
  return { message, envelope };
}

/** Returns the failure of a request that the server would refuse. */
function invalid(details: { path: string; message: string }[]): ApiFailure {
  const message = details.map(({ path, message }) => `${path}: ${message}`).join('; ');
  return new ApiFailure('validation_error', `${message}.`, 422, details, undefined, undefined);
}

const MISSING = {
  subject: 'Enter a subject or choose a template.',
  html: 'Enter HTML or choose a template.',
} as const;

/** Returns what the server refused in the words of the form: the API has other names, and lists have entries. */
export function inWordsOfForm(error: unknown, draft: Draft): unknown {
  if (!(error instanceof ApiFailure) || !error.details) return error;
  const details = error.details.map(({ path, message }) => {
    const [name = '', index] = path.split('.');
    if ((name === 'subject' || name === 'html') && draft[name] === '') return { path, message: MISSING[name] };
    if (name !== 'to' && name !== 'cc' && name !== 'bcc') return { path, message };
    const entry = splitList(draft[name])[Number(index ?? 0)] ?? '';
    return message === FORM_PROBLEM ? { path: name, message: `${entry} ${ENTRY_PROBLEM}`.trim() } : { path, message };
  });
  return error.withMessage(error.message, details);
}
