import * as z from 'zod';
import { bestCode, purposefulFirst, windowInWords } from '../../client/checks/check.js';
import type { Client } from '../../client/client.js';
import { waitForEmails } from '../../client/wait-for-emails.js';
import { searchEndpoints } from '../../contract/control/emails/search.js';
import { WaitRequest } from '../../contract/control/emails/wait.js';
import { SendEmail, type SendEmailRequest } from '../../contract/service/emails.js';
import { WAIT_TIMEOUT_MS } from '../../contract/vocabulary/limits.js';
import { readSince } from '../../contract/vocabulary/since.js';
import { nextCommand } from '../command/next-command.js';
import { idToRead, LATEST } from '../command/resource-id.js';
import { runChecks } from '../emails/check/run-checks.js';
import { inspectIfPossible } from '../emails/parse-state.js';
import { sinceOf } from '../emails/query-flags.js';
import { searchPage } from '../emails/search/search-emails.js';
import { withSample } from '../emails/send-flags.js';
import { extractText } from '../emails/wait/extract.js';
import { waitFailure } from '../emails/wait/failure.js';
import { AssertionFailedError } from '../errors/exit-codes.js';
import type { TargetFlags } from '../flags/target.js';
import { checkQuery } from '../flags/values/query.js';
import { suppressionLines } from '../output/formatters/suppression.js';
import { templateId } from '../templates/find.js';
import { emailView, PARTS } from './results.js';
import { CHANGES, ITEMS_DEFAULT, page, READS, readId, type Tool, tool } from './tool.js';

/** The tools for emails. Each calls the functions of the command with the same purpose. */

/** Clients end a call after 60 seconds unless they are configured otherwise. */
const WAIT_TOOL_MAX_MS = 50_000;
/** Characters of the text of each email that a wait returns. */
const WAIT_TEXT_CHARACTERS = 4_000;
/** Positions of a failed check. */
const PLACES_MAX = 3;
const CLIENTS_MAX = 5;
/** Links or codes that an email has in addition. */
const OTHERS_MAX = 20;

const query = searchEndpoints['emails.search'].query.shape.search;

const captured = async (client: Client, flags: TargetFlags, id: string = LATEST) =>
  client.control('emails.captured', { params: { id: await idToRead(client, 'email', id, flags) } });

/** Returns the next step after a wait that failed. An email before the window is the usual reason that none is found. */
function waitAdvice(arrived: boolean, since: string): string {
  const advice = arrived ? 'Change the query, or wait longer.' : `No email arrived ${windowInWords(since)}.`;
  return readSince(since)?.kind === 'start' ? advice : `${advice} For earlier emails, pass since: "start".`;
}

const sendShape = SendEmail.shape;
const waitShape = WaitRequest.shape;
export const emailTools: readonly Tool[] = [
  tool({
    name: 'send_email',
    title: 'Send an email',
    description:
      'Send an email through the local server, which captures it; only `to` is required, and sample values replace the rest.',
    command: 'emails:get',
    input: z.strictObject({
      ...sendShape,
      from: sendShape.from.optional(),
      template_id: z.string().optional().meta({ description: 'Template ID (tpl_…) or name, instead of html.' }),
    }),
    annotations: CHANGES,
    hasContent: false,
    run: ({ template_id, ...draft }, { connect, flags }) =>
      connect(async (client) => {
        const template = template_id && { template_id: await templateId(client, template_id) };
        const body = withSample({ ...draft, ...template }) as SendEmailRequest;
        const receipt = await client.call('emails.send', { body });
        const inspection = await inspectIfPossible(client, receipt.id);
        const suppressed = suppressionLines(inspection?.recipients ?? [], (line) => nextCommand(line, flags));
        return { ...receipt, ...(suppressed.length > 0 && { suppressed }) };
      }),
  }),
  tool({
    name: 'search_emails',
    title: 'Search emails',
    description: 'List captured emails, newest first: all of them, or those that match a query.',
    command: 'emails:get',
    input: z.strictObject({ query, ...page }),
    annotations: READS,
    hasContent: true,
    run: async ({ query = '', limit = ITEMS_DEFAULT, offset = 0 }, { connect }) => {
      await checkQuery('query', query);
      return connect(async (client) => {
        const { emails, ...rest } = await searchPage(client, query, { limit, offset });
        return { ...rest, emails };
      });
    },
  }),
  tool({
    name: 'wait_for_email',
    title: 'Wait for an email',
    description:
      'Wait until captured emails match a query, also scheduled and dropped ones, and return them with their text, links ' +
      'and codes; on a time-out, the error lists the emails that almost matched.',
    command: 'emails:get',
    input: z.strictObject({
      query,
      since: waitShape.since,
      min: waitShape.min,
      absent: waitShape.absent,
      timeout_ms: z
        .int()
        .min(1)
        .max(WAIT_TOOL_MAX_MS)
        .default(WAIT_TIMEOUT_MS)
        .meta({ description: 'Milliseconds to wait. To wait longer, call again.' }),
    }),
    annotations: READS,
    hasContent: true,
    run: async ({ query = '', since, timeout_ms = WAIT_TIMEOUT_MS, ...rest }, { connect }, signal) => {
      await checkQuery('query', query);
      const request = { query, timeout_ms, since: sinceOf(since, process.env), ...rest };
      const result = await connect((client) => waitForEmails(client, request, signal));
      const { matched, emails, cursor } = result;
      if (!matched) {
        const { message, lines } = waitFailure(request, result);
        throw new AssertionFailedError(
          message,
          lines.map((line) => ({ path: '', message: line })),
          request.absent ? undefined : waitAdvice(lines.length > 0, request.since),
        );
      }
      const characters = WAIT_TEXT_CHARACTERS;
      return { cursor, emails: emails.map((email) => emailView(email, { part: 'text', characters })) };
    },
  }),
  tool({
    name: 'get_email',
    title: 'Get an email',
    description: 'Return an email with its recipients, links, codes and attachments, and its text, HTML or headers.',
    command: 'emails:get',
    input: z.strictObject({
      id: readId,
      part: z.enum(PARTS).default('text').meta({ description: 'Part to return.' }),
      offset: z.int().min(0).default(0).meta({
        description: 'Position in the part to start from: next_offset of the call before.',
      }),
    }),
    annotations: READS,
    hasContent: true,
    run: ({ id, part = 'text', offset = 0 }, { connect, flags }) =>
      connect(async (client) => emailView(await captured(client, flags, id), { part, offset })),
  }),
  tool({
    name: 'extract_from_email',
    title: 'Extract a link or a code',
    description:
      'Return the link that an email is about, such as to verify an address or reset a password, or its code; nothing is ' +
      'opened.',
    command: 'emails:get',
    input: z.strictObject({
      id: readId,
      part: z.enum(['link', 'code']),
      link_matching: z.string().optional().meta({ description: 'Part of the link, a glob, or /REGEX/.' }),
    }),
    annotations: READS,
    hasContent: true,
    run: ({ id, part, link_matching }, { connect, flags }) =>
      connect(async (client) => {
        const email = await captured(client, flags, id);
        const value = await extractText(email, { part }, link_matching);
        const others =
          part === 'link'
            ? purposefulFirst(email.links).filter(({ href }) => href !== value)
            : email.codes.filter((code) => code !== bestCode(email.codes));
        return { id: email.id, subject: email.subject, [part]: value, others: others.slice(0, OTHERS_MAX) };
      }),
  }),
  tool({
    name: 'check_email',
    title: 'Check an email',
    description:
      'Check the HTML, content and authentication of an email, and return the failed checks, and a score of how far mail ' +
      'clients support its HTML; no link is requested.',
    command: 'emails:check',
    input: z.strictObject({ id: readId }),
    annotations: READS,
    hasContent: true,
    run: ({ id = LATEST }, { connect, flags }) =>
      connect(async (client) => {
        const report = await runChecks(client, await idToRead(client, 'email', id, flags), 'none');
        const { passed, failed, not_run, checks, html_support } = report;
        const problems = checks
          .filter((check) => check.passed === false)
          .map(({ passed: _, where, ...check }) => ({ ...check, where: where.slice(0, PLACES_MAX) }));
        const support = html_support && {
          score: html_support.score,
          lowest: html_support.clients.slice(0, CLIENTS_MAX).map(({ name, score }) => ({ name, score })),
        };
        return { id: report.id, passed, failed, not_run, problems, support_by_mail_clients: support };
      }),
  }),
];
