import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../../support/servers/app.js';

const MAIL = { to: 'ada@example.test', from: 'a@b.test', subject: 'Hi', html: 'x' };
const MIB = 1024 * 1024;

describe('a JSON body', () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await startApp();
  });
  afterEach(() => app.closeClean());

  const post = (body: unknown, path = '/v1/emails') => app.call('POST', path, body);
  const fields = (count: number, value: unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value]));

  it.each([
    ['10,001 values', JSON.stringify(fields(10_000, 1)), 'The request body contains more than 10000 values.'],
    ['as many in an array', `[${','.repeat(10_001)}]`, 'The request body contains more than 10000 values.'],
    ['five million arrays', '['.repeat(5_000_000), 'The request body is nested deeper than 64 levels.'],
    ['65 levels', `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`, 'The request body is nested deeper than 64 levels.'],
  ])('of %s is 400', async (_, body, message) => {
    const { status, json } = await post(body);
    expect(status).toBe(400);
    expect(json.error.message).toBe(message);
  });

  it('may contain strings that look like values and nesting', async () => {
    const html = `"\\${'[{,'.repeat(20_000)}\\\\"`;
    const { status, json } = await post({ ...MAIL, html, variables: { a: '\\', b: '"', c: '\\"[' } });
    expect(status).toBe(201);
    expect((await app.call('GET', `/v1/emails/${json.data.id}`)).json.data.html).toBe(html);
  });

  it('of 64 levels is read', async () => {
    expect((await post(`{"a":${'['.repeat(63)}${']'.repeat(63)}}`)).status).toBe(422);
  });

  it('has its first ten unknown fields named, and the rest counted', async () => {
    const strict = await startApp({ strict: true });
    const { status, json } = await strict.call('POST', '/v1/emails', { ...MAIL, ...fields(9_000, 1) });
    await strict.closeClean();
    expect(status).toBe(422);
    expect(json.error.details).toHaveLength(11);
    expect(json.error.message).toBe('k0: is not a field (and 10 more)');

    const { headers } = await post({ ...MAIL, ...fields(9_000, 1), ['long'.repeat(MIB)]: 1 });
    const values = [headers['x-service-warning'] ?? ''].flat();
    expect(values).toHaveLength(12);
    expect(values[10]).toBe('unknown_field; 8991 more fields are unknown');
    expect(values.join().length).toBeLessThanOrEqual(1_000);
  });

  it('with too many recipients is refused for that reason', async () => {
    const { status, json } = await post({ ...MAIL, to: Array(1_001).fill('ada@example.test') });
    expect(status).toBe(422);
    expect(json.error.details).toEqual([{ path: 'to', message: 'must contain at most 1000 addresses' }]);
  });

  it('has its first thousand refused fields and variables named, and the rest counted', async () => {
    const invalid = Array(1_000).fill('nobody');
    const refused = await post({ ...MAIL, to: invalid, cc: invalid, bcc: invalid });
    expect(refused.json.error.details).toHaveLength(1_000);
    expect(refused.json.error.message).toMatch(/ \(and \d{4} more\)$/);

    const { json } = await post({ ...MAIL, variables: { ...fields(5_000, null), ['long'.repeat(MIB)]: null } });
    expect(json.error.code).toBe('invalid_variables');
    expect(json.error.details).toHaveLength(1_000);
    expect(json.error.message).toMatch(/; and 4981 more\.$/);
    expect(json.error.message.length).toBeLessThan(2_000);
  });

  it.each([
    ['/v1/emails', 40],
    ['/v1/templates', 20],
    ['/v1/webhooks', 4],
    ['/_svc/rules', 4],
  ])('to %s may be %i MiB', async (path, mebibytes) => {
    const sized = (bytes: number) => `{${' '.repeat(bytes - 2)}}`;
    expect((await post(sized(mebibytes * MIB), path)).status).toBe(422);
    const { status, json } = await post(sized(mebibytes * MIB + 1), path);
    expect(status).toBe(400);
    expect(json.error.message).toBe(`The request body is larger than ${mebibytes} MiB.`);
  });
});
