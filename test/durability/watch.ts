import { expect } from 'vitest';
import type { Ready } from '../support/cli/binary.js';

type Address = Pick<Ready, 'base_url' | 'api_key'>;

/** Reads what a server shows of the emails it was sent. */

export interface Listed {
  id: string;
  subject: string;
  status: string;
}

async function get<T>({ base_url, api_key }: Address, path: string): Promise<T> {
  const response = await fetch(new URL(path, base_url), { headers: { authorization: `Bearer ${api_key}` } });
  expect(response.status).toBe(200);
  return ((await response.json()) as { data: T }).data;
}

/** Returns every email that the server lists. */
export async function listAll(ready: Address): Promise<Listed[]> {
  const all: Listed[] = [];
  for (;;) {
    const { emails, pagination } = await get<{ emails: Listed[]; pagination: { has_more: boolean } }>(
      ready,
      `/v1/emails?limit=100&offset=${all.length}`,
    );
    all.push(...emails);
    if (!pagination.has_more) return all;
  }
}

/** Reads the event stream from its beginning until every one of these emails has a given number of events of a kind. */
export async function eventsUntil(ready: Address, type: string, expected: Map<string, number>): Promise<void> {
  const left = new Map(expected);
  const stop = new AbortController();
  const response = await fetch(new URL('/_svc/events?after=0', ready.base_url), {
    headers: { authorization: `Bearer ${ready.api_key}` },
    signal: stop.signal,
  });
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body!) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data: ')) continue;
      const event = JSON.parse(line.slice('data: '.length)) as { type: string; data: { email_id?: string } };
      const id = event.data.email_id;
      const open = id === undefined || event.type !== type ? undefined : left.get(id);
      if (id === undefined || open === undefined) continue;
      if (open > 1) left.set(id, open - 1);
      else left.delete(id);
    }
    if (left.size === 0) break;
  }
  stop.abort();
}
