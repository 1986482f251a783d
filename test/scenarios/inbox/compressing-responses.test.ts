import { afterAll, beforeAll, expect, it } from 'vitest';
import { type InboxApp, openSession, startInboxApp } from '../../support/inbox/inbox-app.js';
import { TEST_KEY } from '../../support/servers/app.js';

const LIST = '/_svc/emails?limit=50';

let app: InboxApp;
let session: Record<string, string>;
beforeAll(async () => {
  app = await startInboxApp();
  session = await openSession(app.origin);
  for (let count = 0; count < 10; count += 1) {
    const email = {
      to: 'ada@example.test',
      from: 'shop@example.test',
      subject: `Order ${count}`,
      html: '<p>Thank you.</p>',
    };
    expect((await app.call('POST', '/v1/emails', email)).status).toBe(201);
  }
});
afterAll(() => app.closeClean());

async function get(path: string, headers: Record<string, string>) {
  const response = await fetch(app.origin + path, { headers });
  const { data } = (await response.json()) as { data: { emails: { subject: string }[] } };
  const [encoding, vary] = ['content-encoding', 'vary'].map((name) => response.headers.get(name));
  return { status: response.status, encoding, vary, data };
}

it('compresses the list for the page', async () => {
  const { status, encoding, vary, data } = await get(LIST, { ...session, 'accept-encoding': 'gzip, br' });
  expect([status, encoding, vary]).toEqual([200, 'gzip', 'Accept-Encoding']);
  expect(data.emails.map(({ subject }) => subject).sort()).toEqual(Array.from({ length: 10 }, (_, n) => `Order ${n}`));
});

it.each(['identity', 'br', 'gzip;q=0'])('leaves it as it is for a page that accepts %s', async (accepted) => {
  const { status, encoding, data } = await get(LIST, { ...session, 'accept-encoding': accepted });
  expect([status, encoding, data.emails.length]).toEqual([200, null, 10]);
});

it('leaves a small response as it is', async () => {
  const { status, encoding } = await get('/_svc/summary', { ...session, 'accept-encoding': 'gzip' });
  expect([status, encoding]).toEqual([200, null]);
});

it('leaves it as it is for a program', async () => {
  const authorization = `Bearer ${TEST_KEY}`;
  const { status, encoding, data } = await get(LIST, { authorization, 'accept-encoding': 'gzip' });
  expect([status, encoding, data.emails.length]).toEqual([200, null, 10]);
});
