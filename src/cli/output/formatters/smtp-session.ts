import { addressOf, clientOf, endOf, messagesOf } from '../../../client/smtp-session-texts.js';
import type { SmtpSession, SmtpSessionDetails } from '../../../contract/control/logs.js';
import { relayName } from '../../../contract/vocabulary/smtp.js';
import { type Printable, paint } from '../color.js';
import { fieldLines } from '../fields.js';
import { localTime } from '../local-time.js';
import type { Column } from '../table.js';
import { oneLine, safeText } from '../text.js';
import { section } from './email-inspection.js';

/** Formats SMTP sessions. */

export const SESSION_COLUMNS: Column[] = [
  { title: 'ID', rank: 1, kind: 'short id' },
  { title: 'TIME', rank: 5, kind: 'time' },
  { title: 'CLIENT', rank: 6 },
  { title: 'MESSAGES', rank: 3, kind: 'number' },
  { title: 'MS', rank: 7, kind: 'number' },
  { title: 'END', rank: 4 },
  { title: 'ERROR', rank: 2, least: 20 },
];

export function sessionRow(session: SmtpSession): string[] {
  const { id, created_at, ms, error, accepted } = session;
  return [
    id,
    created_at,
    clientOf(session),
    String(accepted),
    ms === null ? '' : String(ms),
    endOf(session),
    error ?? '',
  ];
}

/** Formats a session as a row of the request log. Its status is that of the reply that made it fail. */
export function requestRowOf(session: SmtpSession): string[] {
  const { created_at, ms, error, transactions } = session;
  const status = /^\d{3}/.exec(error ?? '')?.[0] ?? (error === null ? '' : 'error');
  const { mail_from = '', rcpt_to = [] } = transactions.at(-1) ?? {};
  const path = [`<${mail_from}>`, ...rcpt_to.slice(0, 1).map((address) => `<${address}>`)].join(' to ');
  return [
    created_at,
    status,
    'SMTP',
    transactions.length > 0 ? path : '',
    ms === null ? '' : ms.toFixed(1),
    '-',
    error ?? '',
  ];
}

/** Formats a session: `2026-11-21T15:03:22+01:00  smtp_…  127.0.0.1 (app)  1 message  12 ms  closed after QUIT`. */
export function lineOfSession(session: SmtpSession): string {
  const { id, created_at, ms, error } = session;
  const duration = ms === null ? '' : `${ms} ms`;
  const cells = [localTime(created_at), id, clientOf(session), messagesOf(session), duration, endOf(session)];
  return `${[...cells, error ?? '']
    .filter((cell) => cell !== '')
    .map(oneLine)
    .join('  ')}\n`;
}

/** Formats a session with its transactions and transcript. */
export function describeSession(session: SmtpSessionDetails): Printable {
  const { id, created_at, ms, client, helo, tls, auth, error } = session;
  const fields = fieldLines({
    id,
    client: client.address === '' ? addressOf(session) : relayName({ host: client.address, port: client.port }),
    helo,
    tls: tls && `${tls.version}, ${tls.cipher}`,
    auth: auth && `${auth.mechanism} ${auth.username ?? ''} ${auth.accepted ? 'accepted' : 'refused'}`,
    began: localTime(created_at),
    duration: ms === null ? null : `${ms} ms`,
    end: endOf(session),
    error,
  });
  const sections = [
    ...section('Transactions', [...session.transactions.map(transactionLine), ...omittedLines(session)]),
    ...section('Transcript', transcriptLines(session)),
    ...session.transactions.flatMap(receivedLines),
  ];
  return [fields, sections.map((line) => [line, '\n'])];
}

function transactionLine({ state, mail_from, rcpt_to, rcpt_count, bytes, email_id, reply }: Transaction): Printable {
  const more = rcpt_count > rcpt_to.length ? ` and ${rcpt_count - rcpt_to.length} more` : '';
  const recipients =
    rcpt_to.length > 0 ? `${rcpt_to.map((address) => `<${address}>`).join(' ')}${more}` : 'no recipient';
  const details = [`<${mail_from}> to ${recipients}`, `${bytes} bytes`, email_id ?? '', reply ?? ''];
  const color = state === 'accepted' ? 'good' : state === 'refused' || state === 'broken' ? 'bad' : undefined;
  return [paint(state, color), `  ${oneLine(details.filter(Boolean).join('  '))}`];
}

function omittedLines({ omitted_transactions }: SmtpSession): string[] {
  return omitted_transactions > 0 ? [`  ${omitted_transactions} between the first and the last ones omitted`] : [];
}

type Transaction = SmtpSession['transactions'][number];

const PREFIXES = { client: 'C: ', server: 'S: ', note: '-- ' };

/** Returns the lines of a transcript with their offsets: `   12 ms  C: QUIT`. */
function transcriptLines({ transcript }: Pick<SmtpSessionDetails, 'transcript'>): Printable[] {
  const width = String(transcript.at(-1)?.ms ?? 0).length;
  return transcript.map(({ ms, from, text }) => {
    const line = `${PREFIXES[from]}${oneLine(text)}`;
    const isRefusal = from === 'server' && /^[45]\d\d/.test(text);
    return [
      `${String(ms).padStart(width)} ms  `,
      paint(line, isRefusal ? 'bad' : from === 'note' ? 'faint' : undefined),
    ];
  });
}

/** Returns what was received of a message that was not accepted. */
function receivedLines({ received, mail_from, bytes }: Transaction): Printable[] {
  if (received === null) return [];
  const size = Buffer.byteLength(received) < bytes ? `the beginning of ${bytes} bytes` : `${bytes} bytes`;
  return section(`Received from <${oneLine(mail_from)}>, ${size}`, safeText(received).trimEnd().split('\n'));
}
