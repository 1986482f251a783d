import type { Client } from '../../client/client.js';
import type { EmailSummary } from '../../contract/service/emails.js';
import type { Printable } from '../output/color.js';
import { localTimeOfDay } from '../output/local-time.js';
import { type Column, rowWriter, stdoutView } from '../output/table.js';
import { runUntilStopped } from '../process/signals.js';
import { pause, stdoutDrained } from '../process/write-stdout.js';
import { type Watch, watchEmails } from './watch.js';

interface Arrivals extends Pick<Watch, 'readPage' | 'search' | 'stream'> {
  /** Completes emails before they are shown. */
  complete(emails: EmailSummary[]): Promise<ListedEmail[]>;
  print(email: EmailSummary, human: () => Printable): void;
  info(text: string): void;
  status(text: string): void;
}

/** Prints emails as they arrive, until a signal. */
export function printArrivals(client: Client, { readPage, search, stream, ...command }: Arrivals): Promise<void> {
  return runUntilStopped(async (signal) => {
    const onLost = (reason: string | undefined) =>
      command.info(reason === undefined ? 'Reconnected.' : `${reason}; reconnecting`);
    const onReady = () => command.status('Waiting for emails. Press Ctrl-C to stop.');
    // No relative times, because the lines stay on the screen. On a terminal, the date has no room.
    const view = stdoutView();
    const rows = rowWriter(EMAIL_COLUMNS, view);
    const short = (email: ListedEmail) =>
      view.width === null ? email : { ...email, created_at: localTimeOfDay(email.created_at) };
    for await (const email of watchEmails(client, { readPage, search, stream, signal, pause, onLost, onReady })) {
      const shown = (await command.complete([email])).map((each) => emailRow(short(each)));
      command.print(email, () => rows(shown));
      if (!(await stdoutDrained(signal))) return;
    }
  });
}

/** Columns of a list of emails. */
export const EMAIL_COLUMNS: Column[] = [
  { title: 'ID', rank: 1, kind: 'short id' },
  { title: 'STATUS', rank: 2, kind: 'status' },
  { title: 'CREATED', rank: 5, kind: 'time' },
  { title: 'TO', rank: 3 },
  { title: 'SUBJECT', rank: 4 },
];

/** An email, and which of its recipients were dropped, if that is known. */
export type ListedEmail = EmailSummary & { dropped?: 'none' | 'some' | 'all' };

/** Returns an email’s cells, in the order of the columns. */
export function emailRow({ id, status, dropped, created_at, to, subject }: ListedEmail): string[] {
  return [id, dropped === 'all' ? `${status}, dropped` : status, created_at, to, subject];
}
