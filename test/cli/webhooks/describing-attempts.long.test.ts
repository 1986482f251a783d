import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeDelivery } from '../../../src/cli/dashboard/panes/index.js';
import { printed } from '../../../src/cli/output/color.js';
import { describeAttempts } from '../../../src/cli/webhooks/attempt-output.js';
import { Client } from '../../../src/client/client.js';
import { startApp, TEST_KEY, type TestApp } from '../../support/servers/app.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';
import { send } from '../../support/simulation.js';

/** Tests the line about the next attempt, on a frozen clock and in a time zone of the machine. */

describe('the next attempt of a delivery', () => {
  const { TZ } = process.env;
  let app: TestApp;
  let receiver: Receiver;
  let client: Client;
  let status: number;
  /** Ends when the receiver is to respond. */
  let held: Promise<void> | undefined;

  beforeEach(async () => {
    process.env.TZ = 'Asia/Kolkata';
    status = 500;
    held = undefined;
    receiver = await startReceiver(async (response) => {
      await held;
      response.writeHead(status).end();
    });
    app = await startApp({ retrySchedule: [5_000, 30_000] });
    client = new Client({ baseUrl: 'http://any.host.test/v1', apiKey: TEST_KEY, userAgent: 'test', fetch: app.fetch });
    await app.call('PATCH', '/_svc/clock', { now: '2030-01-01T00:00:00Z', frozen: true });
    await app.call('POST', '/v1/webhooks', { url: receiver.url, events: ['email.sent'] });
    await send(app, 'ada@example.test');
    await app.drain();
  });
  afterEach(async () => {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
    await app.closeClean();
    await receiver.close();
  });

  const advance = (by: string) => app.call('POST', '/_svc/clock/advance', { by });
  async function delivery() {
    const [{ id } = { id: '' }] = (await client.control('deliveries.list', {})).deliveries;
    return client.control('deliveries.get', { params: { id } });
  }
  /** Returns the lines about next attempts, of `svc webhooks deliveries ID` and of the dashboard. */
  async function lines(): Promise<string[]> {
    const shown = await delivery();
    const command = printed(describeAttempts(shown), false);
    const dashboard = printed(await describeDelivery(client, shown.id), false);
    return [command, dashboard].flatMap((text) => text.match(/(?:Next attempt|No more attempts).*$/gm) ?? []);
  }

  it('is shown once while a retry is pending, in local time with its zone', async () => {
    const first = 'Next attempt at 2030-01-01T05:30:05+05:30.';
    expect(await lines()).toEqual([first, first]);
    await advance('5s');
    const second = 'Next attempt at 2030-01-01T05:30:35+05:30.';
    expect(await lines()).toEqual([second, second]);
  });

  it('is described with the webhook while it is the first one', async () => {
    let respond = () => {};
    held = new Promise((resolve) => {
      respond = resolve;
    });
    await send(app, 'bob@example.test');
    const first = async () => printed(describeAttempts(await delivery()), false);
    const drained = app.drain();
    await receiver.until(2);
    expect(await first()).toBe(
      [
        `url            ${receiver.url}`,
        'state          pending',
        'first attempt  under way, or due at 2030-01-01T05:30:00+05:30\n',
      ].join('\n'),
    );
    respond();
    await drained;
    expect(await first()).toContain('attempt 1/3');
  });

  it('is not shown once an attempt succeeded', async () => {
    status = 200;
    await advance('5s');
    expect((await delivery()).state).toBe('succeeded');
    expect(await lines()).toEqual([]);
  });

  it('is not shown once the last attempt failed, or the webhook is inactive', async () => {
    const { webhook_id } = await delivery();
    await app.call('PATCH', `/v1/webhooks/${webhook_id}`, { active: false });
    await advance('5s');
    expect((await delivery()).state).toBe('failed');
    expect(await lines()).toEqual(['No more attempts.', 'No more attempts.']);
  });
});
