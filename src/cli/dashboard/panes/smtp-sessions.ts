import { addressOf, clientOf, endOf } from '../../../client/smtp-session-texts.js';
import type { SmtpSession } from '../../../contract/control/smtp-sessions.js';
import { printedOut } from '../../output/color.js';
import { describeSession } from '../../output/formatters/smtp-session.js';
import { localTimeOfDay } from '../../output/local-time.js';
import { type Pane, type Row, wordsOf } from './pane.js';

export const smtp: Pane = {
  title: 'SMTP',
  item: 'SMTP session',
  columns: [
    { title: 'CLIENT', width: 10, grow: 1, sort: true },
    { title: 'MESSAGES', width: 8, sort: true },
    { title: 'END', width: 14, grow: 1, sort: true },
    { title: 'ERROR', width: 8, grow: 2, from: 56, sort: true },
    { title: 'TIME', width: 8, from: 48 },
  ],
  empty: 'No SMTP sessions yet.',
  elsewhere: 'smtp sessions',
  async read(client, limit) {
    const { sessions } = await client.control('smtp-sessions.list', { query: { limit } });
    return { rows: sessions.map(rowOf), total: undefined, more: sessions.length === limit };
  },
};

function rowOf(session: SmtpSession): Row {
  const { id, created_at, helo, error, failed, accepted } = session;
  const end = endOf(session);
  return {
    id,
    cells: [
      helo ?? addressOf(session),
      String(accepted),
      { text: failed ? 'failed' : end, tone: failed ? 'bad' : 'plain' },
      error ?? '',
      localTimeOfDay(created_at),
    ],
    words: wordsOf(id, clientOf(session), end, failed ? 'failed' : '', error, addressesOf(session)),
    open: async (client) => printedOut(describeSession(await client.control('smtp-sessions.get', { params: { id } }))),
  };
}

function addressesOf({ transactions }: SmtpSession): string {
  return transactions.flatMap(({ mail_from, rcpt_to }) => [mail_from, ...rcpt_to]).join(' ');
}
