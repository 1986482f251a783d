import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/servers/app.js';

/** The service's time stays between 1970 and the end of 9999, where a timestamp has one form. */

const LAST = '9999-12-31T23:59:59.999Z';

describe('the clock', () => {
  let app: TestApp;
  beforeEach(async () => {
    app = await startApp();
  });
  afterEach(() => app.closeClean());

  it('cannot be set past the end of 9999, nor before 1970', async () => {
    for (const now of ['9999-12-31T23:59:59.999-14:00', '1969-12-31T23:59:59.999Z']) {
      const { status, json } = await app.call('PATCH', '/_svc/clock', { now, frozen: true });
      expect({ status, message: json.error?.message }).toEqual({
        status: 400,
        message: expect.stringContaining('must be from 1970'),
      });
    }
    expect((await app.call('GET', '/_svc/clock')).json.data.frozen).toBe(false);
  });

  it('cannot be advanced past the end of 9999, and stops there', async () => {
    await app.call('PATCH', '/_svc/clock', { now: LAST, frozen: false });

    expect((await app.call('POST', '/_svc/clock/advance', { by: '1d' })).status).toBe(400);
    const { json } = await app.call('POST', '/v1/emails', {
      to: 'ada@example.test',
      from: 'app@example.test',
      subject: 'Hi',
      html: 'x',
    });
    expect(json.data.created_at).toBe(LAST);
  });
});
