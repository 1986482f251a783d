import type { Client } from '../../client/client.js';
import { ApiFailure, NoControlError } from '../../client/failures.js';
import type { Inspection } from '../../contract/control/emails/inspect.js';
import type { EmailDetail, EmailSummary } from '../../contract/service/emails.js';
import { type ParseState, subjectMark } from '../output/formatters/email-inspection.js';

/** Returns undefined if the server has no control API, or the email no longer exists. */
export async function inspectIfPossible(client: Client, id: string): Promise<Inspection | undefined> {
  try {
    return await client.control('emails.inspect', { params: { id } });
  } catch (error) {
    if (error instanceof NoControlError || error instanceof ApiFailure) return undefined;
    throw error;
  }
}

/** Number of concurrent inspections. For each, the server loads the email's events, attachments and links. */
export const INSPECTIONS_AT_ONCE = 4;

/** Replaces empty subjects with marks. Inspects only emails without a subject, a few at a time. */
export async function withSubjectMarks<Listed extends EmailSummary>(
  client: Client,
  emails: readonly Listed[],
): Promise<Listed[]> {
  const marked = [...emails];
  const remaining = emails.entries();
  const markRemaining = async () => {
    for (const [index, email] of remaining) {
      const state = email.subject === '' ? await inspectIfPossible(client, email.id) : undefined;
      if (state) marked[index] = { ...email, subject: subjectMark(state) };
    }
  };
  await Promise.all(Array.from({ length: INSPECTIONS_AT_ONCE }, markRemaining));
  return marked;
}

/** Returns why an email has no content; undefined if it has some and is parsed, or the reason is unknown. */
export function missingContentNote(
  { subject, html, text }: EmailDetail,
  state: ParseState,
  raw: string | undefined,
): string | undefined {
  const isEmpty = subject === '' && html === '' && text === '';
  return state.parsing || isEmpty ? parseNote(state, raw) : undefined;
}

/** Returns why an email has no content, as one line; `raw` is the command that shows the raw message. */
export function parseNote({ parsing, parse_error }: ParseState, raw: string | undefined): string | undefined {
  if (parsing) return 'This message is still being parsed.';
  if (parse_error === null) return undefined;
  const advice = raw === undefined ? '' : ` See the raw message with: ${raw}`;
  return `This message could not be parsed: ${parse_error.replace(/\.$/, '')}.${advice}`;
}
