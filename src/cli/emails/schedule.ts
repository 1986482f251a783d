import type { Client } from '../../client/client.js';
import { readDuration } from '../../contract/vocabulary/parsers/duration.js';

/** The instant that --schedule means: itself, or for a duration so long after the service's own time. */
export async function scheduledAt(client: Client, value: string): Promise<string> {
  const ahead = readDuration(value);
  if (ahead === undefined) return value;
  return new Date(Date.parse(await client.serverTime()) + ahead).toISOString();
}
