import type { Answer, TestApp } from '../../support/servers/app.js';
import type { FuzzRequest } from './request-arbitrary.js';

/** Sends a request in-process, unchanged. */
export async function send(app: TestApp, { method, url, headers, body }: FuzzRequest): Promise<Answer> {
  const response = await app.http.inject({
    method: method as 'GET',
    url,
    headers,
    ...(body !== undefined && { payload: body }),
  });
  return {
    status: response.statusCode,
    // As fetch shows repeated headers.
    headers: Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, [value].join(', ')])),
    json: response.body === '' ? undefined : response.json(),
  };
}
