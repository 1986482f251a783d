import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startApp, TEST_KEY, type TestApp } from '../../../support/servers/app.js';

/** docs/decisions/061-request-limits.md */

describe('a body that is not Unicode', () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await startApp();
  });
  afterEach(() => app.closeClean());

  async function post(payload: string | Buffer, type = 'application/json', url = '/v1/templates') {
    const headers = { host: 'localhost', authorization: `Bearer ${TEST_KEY}`, 'content-type': type };
    const response = await app.http.inject({ method: 'POST', url, headers, payload });
    return { status: response.statusCode, json: response.json() };
  }

  const template = (name: string) => `{"name":"${name}","subject":"s","html":"h"}`;

  it.each(['\\ud800', 'a\\udfff', '\\udc00\\ud800', '\\uD83D', 'x\\ud83d\\u0041'])(
    'is 422 when a string holds the escape %s',
    async (name) => {
      const { status, json } = await post(template(name));
      expect(status).toBe(422);
      expect(json.error.details).toEqual([{ path: 'name', message: 'must not contain a lone surrogate' }]);
      expect((await app.call('GET', '/v1/templates')).json.data.pagination.total).toBe(0);
    },
  );

  it('is 422 in whatever field or name the lone surrogate is', async () => {
    const body = '{"tags":["ok","\\ud800"],"variables":{"\\udc00":1},"more":{"deep":"\\ud800"}}';
    const { status, json } = await post(body, 'application/json', '/v1/emails');
    expect(status).toBe(422);
    expect(json.error.details.map(({ path }: { path: string }) => path)).toEqual([
      'tags.1',
      'variables.\ufffd',
      'more.deep',
    ]);
  });

  it('may contain surrogate pairs, escaped or not', async () => {
    expect((await post(template('\\ud83d\\ude00 😀'))).json.data.name).toBe('😀 😀');
  });

  it.each([
    ['an overlong form', [0xc0, 0xaf]],
    ['a truncated sequence', [0xe2, 0x82]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
    ['Latin-1', [0xe9]],
  ])('is 400 with %s as UTF-8', async (_, bytes) => {
    const [before = '', after = ''] = template('|').split('|');
    const { status, json } = await post(Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]));
    expect(status).toBe(400);
    expect(json.error.message).toBe('The request body is not valid UTF-8.');
  });

  it('is 400 with a byte order mark', async () => {
    expect((await post(`\ufeff${template('é')}`)).status).toBe(400);
  });

  it.each(['utf-16', 'utf-16le', 'iso-8859-1', 'us-ascii', '"utf-16"', ''])(
    'is 400 with the charset %j',
    async (name) => {
      const { status, json } = await post(template('a'), `application/json; charset=${name}`);
      expect(status).toBe(400);
      expect(json.error.message).toContain('application/json in UTF-8');
    },
  );

  it.each(['charset=utf-8', 'charset=UTF-8', 'charset="utf-8"', 'Charset=utf8', 'profile=x'])(
    'is accepted with the parameter %s',
    async (parameter) => {
      expect((await post(template('a'), `application/json; ${parameter}`)).status).toBe(201);
    },
  );
});
