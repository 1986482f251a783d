import { expect } from 'vitest';
import { deliver } from './mail/smtp-session.js';
import { type Answer, TEST_KEY, type TestApp } from './servers/app.js';

/** Fills, exports, imports and reads the state of an app, through every endpoint of the API. */

const HEADERS = { host: 'localhost', authorization: `Bearer ${TEST_KEY}` };

export const EMAIL = {
  to: 'ada@example.test',
  from: 'app@example.test',
  subject: 'Hi',
  html: '<p><a href="https://a.test/">x</a>',
};
const HOUR_MS = 3_600_000;

/** Returns the data of a POST call that succeeds. */
export async function post(app: TestApp, path: string, body: unknown) {
  const answer = await app.call('POST', path, body);
  expect({ path, answer: answer.json?.error, ok: answer.status < 300 }).toMatchObject({ path, ok: true });
  return answer.json?.data;
}

/** Creates one of everything, with pending work, at a time that is not the machine's. */
export async function fillServer(app: TestApp, receiverUrl: string): Promise<void> {
  const addresses = { http: { host: '127.0.0.1', port: 0 }, smtp: { host: '127.0.0.1', port: 0 } };
  const { smtp } = await app.listen(addresses);
  await app.call('PATCH', '/_svc/clock', { now: '2031-05-06T07:08:09.000Z', frozen: true });
  await post(app, '/v1/webhooks', {
    url: receiverUrl,
    events: ['email.delivered', 'email.bounced'],
    secret: 'whsec_x',
  });
  await post(app, '/v1/domains', { domain: 'example.test' });
  await post(app, '/v1/domains/example.test/verify', undefined);
  await app.call('PATCH', '/_svc/dns/example.test', { published: false });
  await post(app, '/v1/templates', { name: 'welcome', subject: 'Hi {{name}}', html: 'x {{name}}' });
  await post(app, '/v1/api-keys', { name: 'ci', environment: 'test' });
  await post(app, '/_svc/suppressions', { address: 'gone@example.test' });
  await post(app, '/_svc/rules', { to: 'slow@*', outcome: 'deferred', delay: '3h', times: 5 });
  const attachments = [{ filename: 'a.bin', content: 'AAECAwT/', contentType: 'application/octet-stream' }];
  await post(app, '/v1/emails', { ...EMAIL, tags: ['a', 'b'], attachments, track_opens: true });
  await post(app, '/v1/emails', { ...EMAIL, to: 'bounced@simulator.test' });
  await post(app, '/v1/emails', { ...EMAIL, to: 'slow@example.test' });
  const later = new Date(app.clock.now() + HOUR_MS).toISOString();
  await post(app, '/v1/emails', { ...EMAIL, subject: 'later', scheduled_at: later });
  await deliver(smtp, 'Subject: raw \x01\r\nX-Odd: 1\r\n\r\nbody\r\n');
  await app.call('GET', '/v1/emails/msg_nothing');
  await app.drain();
}

export async function exportFrom(app: TestApp): Promise<Buffer> {
  const response = await app.http.inject({ method: 'GET', url: '/_svc/export', headers: HEADERS });
  if (response.statusCode !== 200) throw new Error(response.body);
  return response.rawPayload;
}

export async function importInto(app: TestApp, archive: Buffer): Promise<Answer> {
  const response = await app.http.inject({
    method: 'POST',
    url: '/_svc/import',
    headers: { ...HEADERS, 'content-type': 'application/gzip' },
    payload: archive,
  });
  return { status: response.statusCode, headers: {}, json: response.json() };
}

/** Returns every response of the API, without fields that belong to the server and not to its state. */
export async function everythingOf(app: TestApp): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  const read = async (path: string) => {
    const response = await app.http.inject({ method: 'GET', url: path, headers: HEADERS });
    if (response.statusCode !== 200) throw new Error(`${path}: ${response.body}`);
    const isJson = response.headers['content-type']?.toString().includes('json');
    found[path] = isJson ? response.json().data : response.rawPayload.toString('base64');
    return isJson ? response.json().data : undefined;
  };
  // Read first, because the list contains all later requests.
  await read('/_svc/requests?limit=1000');
  const { emails } = await read('/v1/emails?limit=100');
  for (const { id } of emails) {
    await read(`/v1/emails/${id}`);
    const { attachments } = await read(`/_svc/emails/${id}`);
    await read(`/_svc/emails/${id}/raw`);
    await read(`/_svc/emails/${id}/delivered`);
    for (const { index } of attachments) await read(`/_svc/emails/${id}/attachments/${index}`);
  }
  const { templates } = await read('/v1/templates');
  for (const { id } of templates) await read(`/v1/templates/${id}`);
  const { domains } = await read('/v1/domains');
  for (const { domain } of domains) await read(`/v1/domains/${domain}`);
  for (const path of [
    '/v1/webhooks',
    '/v1/analytics/emails',
    '/_svc/dns',
    '/_svc/rules',
    '/_svc/faults',
    '/_svc/suppressions',
  ]) {
    await read(path);
  }
  const { now, frozen } = await read('/_svc/clock');
  found['/_svc/clock'] = { now: frozen ? now : 'passes', frozen };
  const { deliveries } = await read('/_svc/deliveries?limit=100');
  for (const { id } of deliveries) await read(`/_svc/deliveries/${id}`);
  return found;
}
