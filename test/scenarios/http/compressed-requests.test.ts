import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { startApp, TEST_KEY } from '../../support/servers/app.js';

it('a compressed body is refused by the name of its encoding', async () => {
  const app = await startApp();
  const body = JSON.stringify({ to: 'ada@example.test', from: 'a@example.test', subject: 'Hi', html: 'x' });
  const send = (encoding: string, payload: Buffer | string) =>
    app.http.inject({
      method: 'POST',
      url: '/v1/emails',
      headers: {
        ...{ host: 'localhost', authorization: `Bearer ${TEST_KEY}` },
        ...{ 'content-type': 'application/json', 'content-encoding': encoding },
      },
      payload,
    });

  const refused = await send('gzip', gzipSync(body));
  const plain = await send('identity', body);

  expect([refused.statusCode, refused.json().error.message]).toEqual([
    400,
    'The request body has Content-Encoding "gzip", which is not supported. Send it uncompressed.',
  ]);
  expect(plain.statusCode).toBe(201);
  await app.closeClean();
});
