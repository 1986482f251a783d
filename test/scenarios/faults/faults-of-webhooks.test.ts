import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';

const EMAIL = { to: 'ada@example.test', from: 'shop@example.test', subject: 'Hi', html: '<p>Hi</p>' };

describe('a fault at a webhook receiver', () => {
  let app: TestApp;
  let receiver: Receiver;

  beforeEach(async () => {
    app = await startApp();
    app.clock.freeze();
    receiver = await startReceiver();
    await app.call('POST', '/v1/webhooks', { url: receiver.url, events: ['email.sent'] });
  });

  afterEach(async () => {
    await receiver.close();
    await app.closeClean();
  });

  const add = async (fault: object) => (await app.call('POST', '/_svc/faults', fault)).json.data.id;
  const advance = (by: string) => app.call('POST', '/_svc/clock/advance', { by });

  async function attempts() {
    const { deliveries } = await app.read('/_svc/deliveries');
    return (await app.read(`/_svc/deliveries/${deliveries[0].id}`)).log;
  }

  async function send(): Promise<void> {
    await app.call('POST', '/v1/emails', EMAIL);
    await app.drain();
  }

  it('answers in place of the receiver, and is marked', async () => {
    const id = await add({ webhook: '*', code: 503, text: 'Busy', times: 1 });
    await send();
    expect(receiver.received).toEqual([]);
    await advance('5s');

    expect(receiver.received).toHaveLength(1);
    expect(await attempts()).toMatchObject([
      { attempt: 1, status: 503, response_body: 'Busy (injected by svc)', error: null, fault: id },
      { attempt: 2, status: 200, fault: null },
    ]);
  });

  it('loses the response of a receiver, so that a retry reaches it twice', async () => {
    const id = await add({ webhook: `${receiver.url}*`, drop: 'after', times: 1 });
    await send();
    await advance('5s');

    expect(receiver.received.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2']);
    const [first, second] = receiver.received.map(({ body }) => body.toString());
    expect(first).toBe(second);
    expect(await attempts()).toMatchObject([
      { status: null, error: "connection closed after the receiver's response (injected by svc)", fault: id },
      { status: 200, fault: null },
    ]);
  });

  it('closes the connection before the receiver gets the request', async () => {
    await add({ webhook: '*', drop: 'before' });
    await send();

    expect(receiver.received).toEqual([]);
    expect(await attempts()).toMatchObject([{ status: null, error: 'connection closed (injected by svc)' }]);
  });

  it('delays an attempt, up to its time-out', async () => {
    const id = await add({ webhook: '*', delay: '20s', times: 1 });
    await app.call('POST', '/v1/emails', EMAIL);
    const drained = app.drain();
    await expect.poll(async () => (await app.read('/_svc/faults')).faults[0].hits).toBe(1);
    expect(receiver.received).toEqual([]);
    await app.call('POST', '/_svc/clock/advance', { by: '20s', wait: '0s' });
    await drained;
    expect(receiver.received).toHaveLength(1);
    expect(await attempts()).toMatchObject([{ status: 200, fault: id }]);

    const slow = await add({ webhook: '*', delay: '40s', times: 1 });
    await app.call('POST', '/v1/emails', EMAIL);
    await advance('1s');
    expect(await attempts()).toMatchObject([
      { status: null, error: 'no response within 30 s (injected by svc)', fault: slow },
    ]);
  });

  it('applies to the URLs that its pattern matches', async () => {
    await add({ webhook: 'https://*', code: 500 });
    await add({ webhook: receiver.url.replace('/hooks', ''), code: 500 });
    await send();

    expect(await attempts()).toMatchObject([{ status: 200, fault: null }]);
  });
});
