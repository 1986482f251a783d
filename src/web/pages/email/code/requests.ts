import { escapeHtml } from '../../../../contract/vocabulary/helpers/escape-html.js';
import type { AttachmentInput } from '../../../api/attachments.js';
import { json, jsString } from '../../../components/code/quote.js';
import type { EmailDetails } from '../types.js';
import type { Snippet } from './assertions.js';

/** Code that sends an email with the same content. */

interface Server {
  base_url: string;
  smtp: { host: string; port: number } | null;
  command_flags: string;
}

export function requests(email: EmailDetails, server: Server, attachments: readonly AttachmentInput[]): Snippet[] {
  const found: Snippet[] = [{ title: 'curl', hint: curlHint(email), code: curl(email, server, attachments) }];
  if (server.smtp) found.push({ title: 'Nodemailer', code: nodemailer(email, server.smtp, attachments) });
  return found;
}

function curlHint({ html }: EmailDetails): string {
  const env = 'The first line sets SVC_API_KEY.';
  return html === '' ? `${env} The API requires HTML, so the text is sent in both forms.` : env;
}

function addressesOf(email: EmailDetails, kind: 'to' | 'cc' | 'bcc'): string[] {
  return email.recipients.filter((each) => each.kind === kind).map(({ address }) => address);
}

function curl(
  email: EmailDetails,
  { base_url, command_flags }: Server,
  attachments: readonly AttachmentInput[],
): string {
  const { from, reply_to, subject, text, html, tags } = email;
  const [to, cc, bcc] = (['to', 'cc', 'bcc'] as const).map((kind) => addressesOf(email, kind));
  const body = filled({
    from,
    to,
    cc,
    bcc,
    reply_to,
    subject: subject || '(no subject)',
    html: html || `<pre>${escapeHtml(text || '(empty)')}</pre>`,
    text,
    tags,
    attachments,
  });
  return [
    `eval "$(svc dev env${command_flags})"`,
    `curl ${base_url}/emails -H "Authorization: Bearer $SVC_API_KEY" \\`,
    "  -H 'Content-Type: application/json' --data-binary @- <<'JSON'",
    json(body),
    'JSON',
  ].join('\n');
}

function nodemailer(
  email: EmailDetails,
  { host, port }: { host: string; port: number },
  attachments: readonly AttachmentInput[],
): string {
  const { from, reply_to, subject, text, html } = email;
  const [to, cc, bcc] = (['to', 'cc', 'bcc'] as const).map((kind) => addressesOf(email, kind));
  const files = attachments.map(({ contentType, ...file }) => ({ ...file, encoding: 'base64', contentType }));
  const fields = filled({ from, to, cc, bcc, replyTo: reply_to, subject, text, html, attachments: files });
  return [
    "import { createTransport } from 'nodemailer';",
    '',
    `const transport = createTransport({ host: ${jsString(host)}, port: ${port} });`,
    'await transport.sendMail({',
    ...Object.entries(fields).map(([name, value]) => `  ${name}: ${literal(value)},`),
    '});',
  ].join('\n');
}

/** Returns the fields that have a value. */
function filled(fields: Record<string, string | readonly unknown[] | null | undefined>) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value?.length));
}

/** Returns a value as code of JavaScript on one line. */
function literal(value: unknown): string {
  if (typeof value === 'string') return jsString(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  const fields = Object.entries(value as object).map(([name, each]) => `${name}: ${literal(each)}`);
  return `{ ${fields.join(', ')} }`;
}
