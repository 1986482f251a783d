import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { faultPresetNames, faultsOfPreset } from '../../../src/contract/vocabulary/faults/presets.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

const LIST = 'GET /v1/emails';

describe('faults', () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await startApp();
  });

  afterEach(() => app.closeClean());

  const create = (fault: object) => app.call('POST', '/_svc/faults', fault);
  const list = async () => (await app.read('/_svc/faults')).faults;

  /** Returns the numbers of the calls that failed. */
  async function failures(calls: number): Promise<number[]> {
    const failed: number[] = [];
    for (let call = 1; call <= calls; call += 1) {
      if ((await app.call('GET', '/v1/emails')).status >= 500) failed.push(call);
    }
    return failed;
  }

  it('are injected a number of times, or into every nth match', async () => {
    await create({ http: LIST, code: 500, every: 3, times: 2 });

    expect(await failures(12)).toEqual([3, 6]);
    expect(await list()).toMatchObject([{ hits: 2, times_left: 0 }]);
  });

  it('choose by probability, in the same way for the same seed', async () => {
    const chosen: number[][] = [];
    for (const seed of [7, 7, 8]) {
      const { json } = await create({ http: LIST, code: 500, probability: 0.3, seed });
      chosen.push(await failures(100));
      await app.call('DELETE', `/_svc/faults/${json.data.id}`);
    }

    const [first = [], again, other] = chosen;
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
    expect(first.length).toBeGreaterThan(15);
    expect(first.length).toBeLessThan(45);
  });

  it('take precedence over older ones', async () => {
    await create({ http: '* /v1/*', code: 500 });
    const { json } = await create({ http: LIST, code: 503 });
    expect((await app.call('GET', '/v1/emails')).status).toBe(503);

    expect((await app.call('DELETE', `/_svc/faults/${json.data.id}`)).status).toBe(204);

    expect((await app.call('GET', '/v1/emails')).status).toBe(500);
    expect((await app.call('DELETE', `/_svc/faults/${json.data.id}`)).json.error.code).toBe('not_found');
  });

  it('are removed together, and by a reset', async () => {
    await create({ http: LIST, code: 500 });
    await create({ webhook: '*', code: 500 });
    expect((await app.call('DELETE', '/_svc/faults')).json.data).toEqual({ removed: 2 });
    expect(await failures(1)).toEqual([]);

    await create({ http: LIST, code: 500 });
    await app.call('POST', '/_svc/reset');
    expect(await list()).toEqual([]);
    expect(await failures(1)).toEqual([]);
  });

  it('are exported and imported with their counts', async () => {
    await create({ http: LIST, code: 500, every: 2, text: 'Out', times: 5 });
    expect(await failures(3)).toEqual([2]);
    const before = await list();
    const archive = (
      await app.http.inject({
        method: 'GET',
        url: '/_svc/export',
        headers: { host: 'localhost', authorization: 'Bearer svc_test_scenarios' },
      })
    ).rawPayload;
    await app.call('DELETE', '/_svc/faults');

    const imported = await app.http.inject({
      method: 'POST',
      url: '/_svc/import',
      headers: { host: 'localhost', authorization: 'Bearer svc_test_scenarios', 'content-type': 'application/gzip' },
      payload: archive,
    });

    expect(imported.statusCode).toBeLessThan(300);
    expect(await list()).toEqual(before);
    // The fourth call since the fault was added.
    expect(await failures(1)).toEqual([1]);
  });

  it.each(faultPresetNames)('of the preset %s are valid', async (preset) => {
    for (const fault of faultsOfPreset(preset)) expect((await create(fault)).status).toBe(201);
    expect((await list()).every((fault: { preset: string }) => fault.preset === preset)).toBe(true);
  });

  it.each([
    [{}, '', 'must have exactly one of smtp, http and webhook'],
    [{ smtp: 'end', http: LIST, code: 500 }, '', 'must have exactly one of smtp, http and webhook'],
    [{ smtp: 'end' }, '', 'must have at least one of code, error, delay, drop, truncate and greylist'],
    [{ smtp: 'quit', code: 500 }, 'smtp', 'must be one of'],
    [{ smtp: 'rcpt', code: 200 }, 'code', ''],
    [{ smtp: 'rcpt', code: 354 }, 'code', 'must be from 400 to 599 with smtp'],
    [{ http: LIST, code: 302 }, 'code', 'must be from 400 to 599 with http'],
    [{ smtp: 'end', drop: 'before', code: 500 }, 'code', 'cannot be combined with drop'],
    [{ smtp: 'rcpt', drop: 'after' }, 'drop', 'can be after only with smtp end, http or webhook'],
    [{ smtp: 'end', truncate: true }, 'truncate', 'requires http'],
    [{ http: LIST, truncate: true, code: 500 }, 'truncate', 'cannot be combined with code or error'],
    [{ smtp: 'end', error: 'upstream_error' }, 'error', 'requires http'],
    [{ http: LIST, text: 'x', delay: '1s' }, 'text', 'requires code, error or greylist'],
    [{ http: LIST, delay: '0' }, 'delay', 'must be more than 0 and at most 1h'],
    [{ http: LIST, delay: '2h' }, 'delay', 'must be more than 0 and at most 1h'],
    [{ http: LIST, code: 500, retry_after: '1s' }, 'retry_after', 'requires http with code 429 or 503'],
    [{ http: LIST, code: 500, probability: 0 }, 'probability', 'must be more than 0 and at most 1'],
    [{ http: LIST, code: 500, probability: 1.5 }, 'probability', 'must be more than 0 and at most 1'],
    [{ http: LIST, code: 500, probability: 0.5, every: 2 }, 'probability', 'cannot be combined with every'],
    [{ http: LIST, code: 500, seed: 1 }, 'seed', 'requires probability'],
    [{ http: LIST, code: 500, to: '*' }, 'to', 'requires smtp'],
    [{ smtp: 'mail', code: 500, to: '*' }, 'to', 'requires smtp rcpt, data or end, or http that sends email'],
    [{ smtp: 'data', code: 500, match: 'x' }, 'match', 'requires smtp end, or http that sends email'],
    [{ smtp: 'end', code: 500, match: 'subject:/(/' }, 'match', ''],
    [{ smtp: 'end', greylist: '5m' }, 'greylist', 'requires smtp rcpt'],
    [{ smtp: 'rcpt', greylist: '5m', times: 1 }, 'times', 'cannot be combined with greylist'],
    [{ http: 'emails', code: 500 }, 'http', 'must be a method and a path of the service'],
    [{ http: 'PUT /v1/emails', code: 500 }, 'http', 'does not match any operation of the service'],
    [{ webhook: 'localhost', code: 500 }, 'webhook', 'must be a URL, or a pattern with *'],
    [{ http: LIST, code: 500, colour: 1 }, 'colour', ''],
  ])('are refused: %j', async (fault, path, message) => {
    const { status, json } = await create(fault);

    expect(status).toBe(422);
    expect(json.error.details).toEqual(expect.arrayContaining([{ path, message: expect.stringContaining(message) }]));
    expect(await list()).toEqual([]);
  });
});
