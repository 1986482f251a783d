import type { Client } from '../../client/client.js';
import { localCommand } from '../command/local-command.js';
import { oneLine } from '../output/text.js';

/** Returns the last lines that the dashboard leaves on the screen. */

/** The number of emails in total, and since a time of the server's clock. */
export interface Captured {
  mails: number;
  total: number;
}

export async function countCaptured(client: Client, since: string): Promise<Captured> {
  const [all, fresh] = await Promise.all([
    client.call('emails.list', { query: { limit: 1 } }),
    client.call('emails.list', { query: { limit: 1, from_date: since } }),
  ]);
  return { mails: fresh.pagination.total, total: all.pagination.total };
}

export function describeCaptured({ mails, total }: Captured, dataDir: string | null): string {
  const captured = `svc has stopped. Captured ${counted(mails)}`;
  if (dataDir === null) return `${captured} in memory; ${mails === 1 ? 'it was' : 'they were'} discarded.\n`;
  const list = total > 0 ? `To list them, run: ${oneLine(localCommand('emails list', dataDir))}\n` : '';
  return `${captured}; ${oneLine(dataDir)} contains ${total.toLocaleString('en')}.\n${list}`;
}

function counted(mails: number): string {
  return mails === 1 ? '1 email' : `${mails.toLocaleString('en')} emails`;
}
