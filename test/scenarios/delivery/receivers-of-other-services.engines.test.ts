import { afterEach, describe, expect, it } from 'vitest';
import type { AppOptions } from '../../../src/app/app.js';
import { diagnoseAttempt, succeeded } from '../../../src/contract/vocabulary/webhooks/attempts.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { startScripted } from '../../support/servers/scripted-server.js';

const MAIL = { to: 'a@example.test', from: 's@example.test', subject: 'Hi', html: '<p>Hi</p>' };

describe('a server with the settings of another service', () => {
  const closing: (() => Promise<unknown>)[] = [];

  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function start(options: Partial<AppOptions>): Promise<TestApp> {
    const app = await startApp({ plan: 'none', ...options });
    closing.push(() => app.closeClean());
    return app;
  }

  /** Sends an event to a receiver that answers with this status, and returns the state of its delivery. */
  async function deliveryTo(status: number, options: Partial<AppOptions>) {
    const receiver = await startScripted([(response) => response.writeHead(status).end()]);
    closing.push(() => receiver.close());
    const app = await start(options);
    await app.call('POST', '/v1/webhooks', { url: `${receiver.baseUrl}/hooks`, events: ['template.created'] });
    await app.call('POST', '/v1/templates', { name: 'welcome', subject: 'Hi', html: '<p>Hi</p>' });
    await app.call('POST', '/_svc/settle', {});
    const [delivery] = (await app.read('/_svc/deliveries')).deliveries;
    const { log } = await app.read(`/_svc/deliveries/${delivery.id}`);
    return { state: delivery.state, attempt: log[0] };
  }

  it.each([
    [204, {}, 'succeeded'],
    [204, { success: 200 }, 'pending'],
    [200, { success: 200 }, 'succeeded'],
    [406, {}, 'pending'],
    [406, { rejected: 406 }, 'failed'],
  ])('judges %i of a receiver with %j: %s', async (status, receiverStatuses, state) => {
    expect(await deliveryTo(status, { receiverStatuses })).toMatchObject({ state });
  });

  it('names the setting that makes a status a failure', async () => {
    const { attempt } = await deliveryTo(204, { receiverStatuses: { success: 200 } });

    expect(succeeded(attempt)).toBe(false);
    expect(attempt).toMatchObject({ status: 204, error: 'status 204 is not 200 (--webhook-success 200)' });
    expect(diagnoseAttempt(attempt)).toContain('started with this setting');
  });

  it('limits recipients and days ahead', async () => {
    const app = await start({ sendingLimits: { recipients: 2, scheduleDays: 21 } });
    const at = (days: number) => new Date(app.clock.now() + days * 86_400_000 - 60_000).toISOString();
    const send = async (more: object) => (await app.call('POST', '/v1/emails', { ...MAIL, ...more })).status;

    expect(await send({ cc: 'b@example.test' })).toBe(201);
    expect(await send({ cc: 'b@example.test', bcc: 'c@example.test' })).toBe(422);
    expect(await send({ scheduled_at: at(21) })).toBe(201);
    expect(await send({ scheduled_at: at(22) })).toBe(422);
  });
});
