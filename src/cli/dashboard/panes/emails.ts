import type { EmailStatus, EmailSummary } from '../../../contract/service/emails.js';
import { localTimeOfDay } from '../../output/local-time.js';
import { oneLine } from '../../output/text.js';
import { copiesOfEmail } from './email-copies.js';
import { describeEmailDetail } from './email-detail.js';
import { newestOf } from './newest.js';
import { type Pane, type Row, type Tone, wordsOf } from './pane.js';

export const mails: Pane = {
  title: 'Emails',
  item: 'Email',
  columns: [
    { title: 'SUBJECT', width: 8, grow: 3, sort: true },
    { title: 'TO', width: 8, grow: 2, sort: true },
    { title: 'STATUS', width: 10, sort: true },
    { title: 'TIME', width: 8, from: 48 },
    { title: 'ID', width: 30, from: 130 },
  ],
  empty: 'No emails yet.',
  fill: 'emails send --to delivered@simulator.test',
  elsewhere: 'svc emails list',
  read: newestOf(async (client, query) => {
    const { emails: items, pagination } = await client.call('emails.list', { query });
    return { items, pagination };
  }, rowOf),
};

const tones: Record<EmailStatus, Tone> = {
  scheduled: 'waiting',
  sent: 'plain',
  delivered: 'good',
  bounced: 'bad',
  complained: 'bad',
  cancelled: 'plain',
};

function rowOf({ id, status, to, from, subject, created_at }: EmailSummary): Row {
  return {
    id,
    email: { id, about: oneLine(`${to}, “${subject}”`) },
    cells: [subject, to, { text: status, tone: tones[status] }, localTimeOfDay(created_at), id],
    words: wordsOf(id, status, to, from, subject),
    open: (client) => describeEmailDetail(client, id),
    copies: (client) => copiesOfEmail(client, id),
  };
}
