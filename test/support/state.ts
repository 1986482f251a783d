import { type Answer, TEST_KEY, type TestApp } from './servers/app.js';

/** Exports, imports and reads the state of an app, through every endpoint of the API. */

const HEADERS = { host: 'localhost', authorization: `Bearer ${TEST_KEY}` };

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
