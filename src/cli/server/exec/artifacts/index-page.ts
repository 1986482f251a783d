import type { FoundEmail } from '../../../../contract/control/emails/search.js';
import type { LoggedRequest } from '../../../../contract/control/logs.js';
import type { DeliverySummary } from '../../../../contract/control/webhooks.js';
import { escapeHtml } from '../../../../contract/vocabulary/text.js';
import { warningText } from '../../../../contract/vocabulary/warnings.js';
import type { EventEnvelope } from '../../../../contract/webhook-events.js';
import { PAGE_START } from '../../../../html/email-page.js';
import { errorText } from '../../../output/formatters/request.js';
import { safeText } from '../../../output/text.js';
import { MESSAGES, messageFile } from './message-files.js';

/** Builds the page that lists artifacts. It opens without a server, and contains no script and no content of a message. */

/** Rows of a table, and the number of all. */
export interface Listed<Row> {
  rows: Row[];
  count: number;
}

export interface WrittenEmail extends FoundEmail {
  hasPicture: boolean;
}

export interface IndexContents {
  heading: string;
  emails: Listed<WrittenEmail>;
  events: Listed<EventEnvelope>;
  deliveries: Listed<DeliverySummary>;
  requests: Listed<LoggedRequest>;
}

/** Frames show the pages of messages, which are next to this one: from a file, or from a server that shows artifacts. */
const POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "frame-src file: 'self'",
  "form-action 'none'",
  "base-uri 'none'",
].join('; ');

const STYLE = `
  html, body { height: 100%; margin: 0; }
  body { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); overflow: hidden; font: 14px/1.5 system-ui, sans-serif;
    color: #1f2328; background: #fff; }
  main { overflow: auto; padding: 12px 16px; }
  iframe { width: 100%; height: 100%; border: 0; border-left: 1px solid #d1d9e0; }
  h1 { font-size: 18px; margin: 0 0 8px; overflow-wrap: anywhere; }
  h2 { font-size: 15px; margin: 20px 0 4px; }
  nav a { margin-right: 12px; }
  table { border-collapse: collapse; width: 100%; font-size: 13px; }
  th { text-align: left; font-weight: 600; background: #f6f8fa; position: sticky; top: -12px; }
  td, th { padding: 3px 8px 3px 0; border-bottom: 1px solid #eaeef2; vertical-align: top; overflow-wrap: anywhere; }
  th, td:first-child, td:nth-child(2) { white-space: nowrap; }
  .bad { color: #b42318; }
  @media (max-width: 800px) {
    html, body { height: auto; }
    body { display: block; overflow: visible; }
    main { overflow-x: auto; }
    table { min-width: 700px; }
    th { position: static; }
    iframe { height: 80vh; border-left: 0; border-top: 1px solid #d1d9e0; }
  }
`;

/** Returns the page as HTML. */
export function indexPage({ heading, emails, events, deliveries, requests }: IndexContents): string {
  const [email] = emails.rows;
  const newest = email ? ` src="${MESSAGES}/${messageFile(email.id, 'html')}"` : '';
  return `${PAGE_START}<meta http-equiv="Content-Security-Policy" content="${escapeHtml(POLICY)}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width">
<title>${shown(heading)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${shown(heading)}</h1>
<nav><a href="#emails">Emails (${emails.count})</a><a href="#events">Events (${events.count})</a><a
href="#deliveries">Webhook deliveries (${deliveries.count})</a><a href="#requests">Requests (${requests.count})</a></nav>
${section('emails', 'Emails', ['Time', 'Status', 'To', 'Subject', 'Files'], emails, emailRow)}
${section('events', 'Events', ['Time', 'Event', 'Email', 'Recipient'], events, eventRow)}
${section('deliveries', 'Webhook deliveries', ['Time', 'State', 'Event', 'URL', 'Attempts', 'Result'], deliveries, deliveryRow)}
${section('requests', 'Requests', ['Time', 'Status', 'Request', 'Problem'], requests, requestRow)}
</main>
<iframe name="message" title="Email"${newest}></iframe>
</body>
</html>
`;
}

function section<Row>(
  id: string,
  title: string,
  columns: string[],
  { rows, count }: Listed<Row>,
  cellsOf: (row: Row) => string[],
): string {
  const head = `<h2 id="${id}">${title}</h2>`;
  if (count === 0) return `${head}\n<p>None.</p>`;
  const more = count > rows.length ? `<p>The newest ${rows.length} of ${count}. All are in the other files.</p>\n` : '';
  const lines = rows.map(
    (row) =>
      `<tr>${cellsOf(row)
        .map((cell) => `<td>${cell}</td>`)
        .join('')}</tr>`,
  );
  const names = columns.map((name) => `<th>${name}</th>`).join('');
  return `${head}\n${more}<table>\n<tr>${names}</tr>\n${lines.join('\n')}\n</table>`;
}

function emailRow({ id, created_at, status, to, subject, hasPicture }: WrittenEmail): string[] {
  const file = (extension: 'html' | 'eml' | 'txt' | 'json' | 'png') => `${MESSAGES}/${messageFile(id, extension)}`;
  const files = [
    `<a href="${file('eml')}" download>eml</a>`,
    `<a href="${file('txt')}" target="message">txt</a>`,
    `<a href="${file('json')}" target="message">json</a>`,
    ...(hasPicture ? [`<a href="${file('png')}" target="message">png</a>`] : []),
  ];
  const isBad = ['bounced', 'complained', 'dropped'].includes(status);
  return [
    shown(created_at),
    marked(status, isBad),
    shown(to),
    `<a id="${id}" href="${file('html')}" target="message">${shown(subject || '(no subject)')}</a>`,
    files.join(' '),
  ];
}

function eventRow({ type, created_at, data }: EventEnvelope): string[] {
  const { email_id, to } = data as { email_id?: unknown; to?: unknown };
  const id = typeof email_id === 'string' ? email_id : '';
  const link = id === '' ? '' : `<a href="#${shown(id)}">${shown(id)}</a>`;
  return [shown(created_at), shown(type), link, shown(typeof to === 'string' ? to : '')];
}

function deliveryRow({ created_at, state, type, url, attempts, status, error }: DeliverySummary): string[] {
  const result = error ?? (status === null ? '' : String(status));
  return [
    shown(created_at),
    marked(state, state === 'failed'),
    shown(type),
    shown(url),
    String(attempts),
    shown(result),
  ];
}

function requestRow(request: LoggedRequest): string[] {
  const { created_at, method, path, status, error_details, warnings } = request;
  // The message of an error contains its first detail.
  const details = error_details.slice(1).map(warningText);
  const problems = [errorText(request) ?? '', ...details, ...warnings.map(warningText)].filter((text) => text !== '');
  return [
    shown(created_at),
    marked(String(status), status >= 400),
    shown(`${method} ${path}`),
    shown(problems.join('; ')),
  ];
}

function marked(text: string, isBad: boolean): string {
  return isBad ? `<span class="bad">${shown(text)}</span>` : shown(text);
}

/** Characters of a value in a table. */
const CELL_CHARACTERS = 500;

/** Returns text for HTML, without characters that hide or reorder what is shown. */
function shown(text: string): string {
  const start = text.length > CELL_CHARACTERS ? `${text.slice(0, CELL_CHARACTERS).toWellFormed()}…` : text;
  return escapeHtml(safeText(start));
}
