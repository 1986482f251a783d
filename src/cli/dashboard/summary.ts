import type { Client } from '../../client/client.js';
import { svcCommand } from '../svc-command.js';
import { oneLine } from '../text.js';

/** What the last lines on the screen say. */

/** How many mails there are, and how many of them came since a time of the server's. */
export interface Captured {
  mails: number;
  held: number;
}

export async function countCaptured(client: Client, since: string): Promise<Captured> {
  const [all, fresh] = await Promise.all([
    client.call('emails.list', { query: { limit: 1 } }),
    client.call('emails.list', { query: { limit: 1, from_date: since } }),
  ]);
  return { mails: fresh.pagination.total, held: all.pagination.total };
}

export function describeCaptured({ mails, held }: Captured, dataDir: string | null): string {
  const captured = `svc has stopped. It captured ${counted(mails)} this time`;
  if (dataDir === null) return `${captured}, in memory: they are gone.\n`;
  const read = held > 0 ? `Read them with: ${oneLine(svcCommand('emails list', dataDir))}\n` : '';
  return `${captured}; ${oneLine(dataDir)} holds ${held}.\n${read}`;
}

function counted(mails: number): string {
  return mails === 1 ? '1 mail' : `${mails.toLocaleString('en')} mails`;
}
