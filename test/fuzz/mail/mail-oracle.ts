import { expect } from 'vitest';
import { TEST_KEY, type TestApp } from '../../support/servers/app.js';

/** Checks what must be true of every acknowledged message, whatever its content. */

/** A parse error must name a defect of the message, not of the parser, and not a limit of time or memory. */
const FAULT = /deadline|time[d ]?out|memory|can only bind|cannot read|undefined|is not a|out of range|invalid array/i;

export async function expectKept(app: TestApp, id: string, bytes: Buffer): Promise<string | null> {
  const raw = await app.http.inject({
    method: 'GET',
    url: `/_svc/emails/${id}/raw`,
    headers: { host: 'localhost', authorization: `Bearer ${TEST_KEY}` },
  });
  expect(raw.rawPayload.equals(bytes), 'the raw bytes are those that were sent').toBe(true);
  // Both answers are checked against the contract as well: a string is a string.
  let inspected = await app.call('GET', `/_svc/emails/${id}`);
  if (inspected.json.data?.parsing) {
    await app.drain();
    inspected = await app.call('GET', `/_svc/emails/${id}`);
  }
  const email = await app.call('GET', `/v1/emails/${id}`);
  expect([inspected.status, email.status]).toEqual([200, 200]);
  const { parse_error, subject, from, attachments } = inspected.json.data;
  expect([typeof subject, typeof from, typeof email.json.data.text, typeof email.json.data.html]).toEqual(
    Array.from({ length: 4 }, () => 'string'),
  );
  expect(parse_error ?? '').not.toMatch(FAULT);
  for (const { index, filename, content_type } of attachments) {
    expect([typeof filename, typeof content_type]).toEqual(['string', 'string']);
    expect((await app.call('GET', `/_svc/emails/${id}/attachments/${index}`)).status).toBe(200);
  }
  // Removed, so that a smaller case is judged by its own faults.
  expect(app.faults.splice(0)).toEqual([]);
  return parse_error;
}

/** Expects that health answers, and that everything acknowledged is listed. */
export async function expectListed(app: TestApp, ids: readonly string[]): Promise<void> {
  expect((await app.call('GET', '/_svc/health')).status).toBe(200);
  const listed = new Set<string>();
  for (;;) {
    const { json } = await app.call('GET', `/v1/emails?limit=100&offset=${listed.size}`);
    if (json.data.emails.length === 0) break;
    for (const { id } of json.data.emails) listed.add(id);
  }
  expect(ids.filter((id) => !listed.has(id))).toEqual([]);
  expect(listed.size).toBe(ids.length);
}
