import type { EmailStatus, EmailSummary } from '../../../contract/service/emails.js';
import { localTimeOfDay } from '../../output/local-time.js';
import { oneLine } from '../../output/text.js';
import { describeEmailDetail } from './email-detail.js';
import { newestOf } from './newest.js';
import { column, type Pane, type Row, type Tone, wordsOf } from './pane.js';

export const mails: Pane = {
  title: 'Emails',
  empty: 'No emails yet. Send one: svc emails send --to delivered@simulator.test',
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

/** The recipients' share of a line without time and status, and its minimum and maximum in columns. */
const RECIPIENT_SHARE = 0.6;
const RECIPIENT_MIN = 12;
const RECIPIENT_MAX = 40;
const BEFORE_RECIPIENT = 20;

function rowOf({ id, status, to, from, subject, created_at }: EmailSummary): Row {
  return {
    id,
    email: { id, about: oneLine(`${to}, “${subject}”`) },
    tone: tones[status],
    words: wordsOf(id, status, to, from, subject),
    line(width) {
      const room = Math.floor((width - BEFORE_RECIPIENT) * RECIPIENT_SHARE);
      const recipient = column(to, Math.min(Math.max(room, RECIPIENT_MIN), RECIPIENT_MAX));
      return [localTimeOfDay(created_at), status.padEnd(10), recipient, column(subject, width)].join(' ').trimEnd();
    },
    open: (client) => describeEmailDetail(client, id),
  };
}
