import type { App } from '../../app/app.js';
import { isLoopback } from '../../contract/vocabulary/domains.js';
import { describeRetention } from '../../contract/vocabulary/retention.js';
import { relayName } from '../../contract/vocabulary/smtp.js';
import { describeWarning } from '../../contract/vocabulary/warnings.js';
import { localCommand, otherServer } from '../command/local-command.js';
import { OTHER_TERMINAL, svcCommand, svcProgram } from '../data-dir/svc-command.js';
import { describeMovedClock } from '../output/formatters/clock.js';
import { warningLine } from '../output/formatters/warning-report.js';
import { localTimeOfDay, localZone } from '../output/local-time.js';
import { oneLine, safeJson, safeText, shellQuote } from '../output/text.js';
import type { LocalServer } from './local-server.js';
import { tlsAndLmtpOf } from './tls/smtp-settings.js';

/** Formats the output of `svc dev`. The name of a data directory is untrusted text. */

const TO_GET_EVENTS = 'webhooks listen --forward-to http://localhost:3000/hooks';
const TO_GET_EVENTS_WITHOUT_CONTROL =
  'webhooks create --url http://localhost:3000/hooks --events email.sent,email.delivered,email.bounced';
const TO_TRY = ['emails send --to delivered@simulator.test', 'emails list'];
/**
 * Commands for a server that is known by its address only. It counts as remote: it requires a complete email, and
 * cannot post to this machine.
 */
const TO_TRY_BY_ADDRESS = [
  "emails send --to delivered@simulator.test --from app@example.test --subject Hello --html '<p>Hello</p>'",
  'emails list',
];

/** Returns the first object that `svc dev --json` prints. */
export function readyFacts({ address, inbox }: LocalServer) {
  const { base_url, smtp, api_key, webhook_secret, pid, data_dir } = address;
  const secrets = { api_key, webhook_secret };
  return { event: 'ready', inbox_url: inbox, base_url, smtp, ...tlsAndLmtpOf(address), ...secrets, pid, data_dir };
}

/** Returns the command line that uses this server from another terminal; undefined if only its address leads to it. */
export function commandFor({ address, foundIn }: LocalServer, command: string): string | undefined {
  if (foundIn === null) return undefined;
  return oneLine(localCommand(command, foundIn, { baseUrl: address.base_url, env: OTHER_TERMINAL }));
}

export function describeServer(server: LocalServer, isDetached = false): string {
  const { app, address, foundIn, host, externalUrl, control, inbox } = server;
  const kept = describeRetention(server.retention);
  const { base_url, smtp, api_key, webhook_secret, data_dir } = address;
  // Where another server uses the data directory, commands would use that server.
  const variables = `export SVC_BASE_URL=${shellQuote(base_url)} SVC_API_KEY=${shellQuote(api_key)}`;
  const steps =
    foundIn === null
      ? [variables, ...TO_TRY_BY_ADDRESS.map((step) => `${svcProgram()} ${step}`)]
      : [control ? TO_GET_EVENTS : TO_GET_EVENTS_WITHOUT_CONTROL, ...TO_TRY].map((step) => commandFor(server, step));
  const other = foundIn === null ? undefined : otherServer(base_url);
  const moved = describeMovedClock(app.clock);
  const reset = control ? commandFor(server, 'dev clock reset') : undefined;
  const back = reset === undefined ? '' : `; to reset it, run: ${reset}`;
  const network = isLoopback(host)
    ? ''
    : `  Network         listens on ${host}: other machines can connect, with the name or address of this one\n`;
  return safeText(`svc is running.

${inbox === null ? '' : inboxLines(inbox)}  API             ${base_url}
${externalUrl === undefined ? '' : `  External URL    ${externalUrl}\n`}  SMTP            ${relayName(smtp)}${smtpLines(server)}
${network}  API key         ${api_key}
  Webhook secret  ${webhook_secret}
  Times           ${localZone(app.clock.now())}
  Data            ${data_dir === null ? 'in memory, discarded when the server stops' : oneLine(data_dir)}
${kept === undefined ? '' : `  Keeps           ${kept}\n`}${moved === undefined ? '' : `  Clock           ${moved}${back}\n`}
${other === undefined ? '' : `Commands use ${other.baseUrl} by default, because of ${other.why}.\n\n`}Try next, in another terminal:

${steps.map((step) => `  ${oneLine(step ?? '')}\n`).join('')}
${isDetached && foundIn !== null ? `To stop it, run: ${svcCommand('dev stop', foundIn, OTHER_TERMINAL)}` : 'Press Ctrl-C to stop.'}

`);
}

/** Returns the address of the inbox. One with a code opens it once. */
function inboxLines(inbox: string): string {
  const hint = inbox.includes('#')
    ? `${' '.repeat(18)}opens once, within 5 minutes; for another, run: ${svcProgram()} inbox\n`
    : '';
  return `  Inbox           ${inbox}\n${hint}`;
}

/** Returns the rest of the SMTP line, and the lines of TLS and LMTP. */
function smtpLines(server: LocalServer): string {
  const { tls, lmtp, lmtp_socket } = server.address;
  const trust = commandFor(server, 'dev ca --instructions') ?? 'see tls.ca of svc dev --json';
  const starttls = tls?.starttls ? `, STARTTLS ${tls.starttls}` : '';
  const lines = [
    ...(tls?.smtps ? [`SMTP with TLS   ${relayName(tls.smtps)}`] : []),
    ...(tls?.ca ? [`Certificate     of the local CA; clients have to trust it: ${trust}`] : []),
    ...(lmtp ? [`LMTP            ${relayName(lmtp)}`] : []),
    ...(lmtp_socket === undefined ? [] : [`LMTP socket     ${oneLine(lmtp_socket)}`]),
  ];
  return starttls + lines.map((line) => `\n  ${line}`).join('');
}

/** Formats an event for the log of a running server: time, type and recipient. */
export function lineOfEvent(payload: string): string {
  const { type, created_at, data } = JSON.parse(payload) as {
    type: string;
    created_at: string;
    data: Record<string, unknown>;
  };
  const subject = ['to', 'email_id', 'template_id', 'domain', 'name', 'subject']
    .map((field) => data[field])
    .filter((value) => typeof value === 'string' && value !== '');
  return `${localTimeOfDay(created_at)}  ${type.padEnd(17)}  ${oneLine(subject.join('  '))}\n`;
}

type IndexedSoFar = Parameters<Parameters<App['onIndexing']>[0]>[0];

/** Describes how far emails are indexed for searches, in one line. */
export function describeIndexing({ indexed, total }: IndexedSoFar): string {
  const count = (emails: number) => emails.toLocaleString('en-US');
  if (indexed === total) return `Indexed ${count(total)} emails for searches.`;
  return `Indexing emails for searches: ${count(indexed)} of ${count(total)}. Searches are slower until this is complete.`;
}

/** Formats warnings for the log of a running server. */

type TalliedWarning = Parameters<Parameters<App['onWarning']>[0]>[0];

export function lineOfWarning({ warning, first }: TalliedWarning): string {
  const described = describeWarning(warning);
  const time = localTimeOfDay(new Date(first.at).toISOString());
  return `${time}  ${described.level.padEnd(17)}  ${oneLine(first.route)}  ${warningLine(described)}\n`;
}

export function jsonOfWarning({ warning, first }: TalliedWarning): string {
  const { route, userAgent: user_agent, requestId: request_id, emailId: email_id, at } = first;
  const of = { route, user_agent, request_id, email_id, at: new Date(at).toISOString() };
  return `${safeJson(JSON.stringify({ warning: { ...describeWarning(warning), ...of } }))}\n`;
}
