import { Client } from 'pg';
import { connectionTo } from './database-url.js';

/** Number of attempts to find out whether a commit succeeded whose connection was lost, and the pause between them. */
const ATTEMPTS = 20;
const PAUSE_MS = 500;

/** Finds out over a new connection whether a transaction was committed. False if the database stays unavailable. */
export async function wasCommitted(url: string, transactionId: string): Promise<boolean> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const status = await statusOf(url, transactionId).catch(() => undefined);
    if (status === 'committed') return true;
    if (status === 'aborted') return false;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return false;
}

async function statusOf(url: string, transactionId: string): Promise<string> {
  const client = new Client(connectionTo(url, 'svc outcome'));
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ status: string }>('SELECT pg_xact_status($1::text::xid8) AS status', [
      transactionId,
    ]);
    return rows[0]?.status ?? '';
  } finally {
    await client.end().catch(() => {});
  }
}
