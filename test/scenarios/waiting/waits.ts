import { expect } from 'vitest';
import type { Answer, TestApp } from '../../support/servers/app.js';

/** Longer than any test: such a wait ends because of an email. */
export const LONG_MS = 600_000;

/** Waits for emails. Returns the data of the response. */
export async function wait(app: TestApp, body: object): Promise<Answer['json']> {
  const { status, json } = await app.call('POST', '/_svc/emails/wait', { query: '', timeout_ms: LONG_MS, ...body });
  expect(json.error).toBeUndefined();
  expect(status).toBe(200);
  return json.data;
}

/** Looks for emails that have arrived. */
export function look(app: TestApp, body: object): Promise<Answer['json']> {
  return wait(app, { timeout_ms: 1, ...body });
}

/** Sends an email over REST, and returns its ID. */
export async function mail(app: TestApp, fields: object = {}): Promise<string> {
  const email = { to: 'ada@example.test', from: 'shop@example.test', subject: 'Hello', html: '<p>Hi</p>', ...fields };
  const { status, json } = await app.call('POST', '/v1/emails', email);
  expect(status).toBe(201);
  return json.data.id;
}
