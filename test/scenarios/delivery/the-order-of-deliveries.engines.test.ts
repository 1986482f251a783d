import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TIMEOUT_MS } from '../../../src/core/delivery/attempt.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';

/** Tests the order of first attempts for one recipient's email, and how long one waits for the one before it. */

describe('events for one recipient of an email', () => {
  let app: TestApp;
  let receiver: Receiver;
  let held: { type: string; attempt: string; response: ServerResponse }[];
  let patience: ReturnType<typeof holdTimers>;

  beforeEach(async () => {
    held = [];
    receiver = await startReceiver((response, { headers, body }) => {
      held.push({ type: JSON.parse(body.toString()).type, attempt: String(headers['x-service-attempt']), response });
    });
    app = await startApp();
    app.clock.freeze();
    patience = holdTimers(app, TIMEOUT_MS);
    await app.call('POST', '/v1/webhooks', { url: receiver.url, events: ['email.sent', 'email.delivered'] });
    await app.call('POST', '/v1/emails', { to: 'ada@example.test', from: 'a@example.test', subject: 's', html: 'h' });
  });

  afterEach(async () => {
    await receiver.close();
    await app.closeClean();
  });

  const asked = () => held.map(({ type, attempt }) => `${type} ${attempt}`);

  it('wait for the one before them no longer than five seconds', async () => {
    const drained = app.drain();
    const expirePatience = await patience.next();
    await receiver.until(1);
    expect(asked()).toEqual(['email.sent 1']);

    expirePatience();

    await receiver.until(2);
    // The first has no answer yet.
    expect(asked()).toEqual(['email.sent 1', 'email.delivered 1']);
    for (const { response } of held) response.writeHead(200).end();
    await drained;
  });

  // The one without an answer is abandoned after 30 s, and the next is posted.
  it('do not delay a retry, which does not wait for others', { timeout: 25_000 }, async () => {
    const drained = app.drain();
    await receiver.until(1);
    held[0]?.response.writeHead(500).end();
    await receiver.until(2);
    expect(asked()).toEqual(['email.sent 1', 'email.delivered 1']);

    // The time of the first retry, while the one after it has no answer. No wait times out.
    app.clock.set(app.clock.now() + 5_000);

    await receiver.until(3);
    expect(asked()).toEqual(['email.sent 1', 'email.delivered 1', 'email.sent 2']);
    for (const { response } of held.slice(1)) response.writeHead(200).end();
    await drained;
  });
});

/**
 * Holds timers of one duration on the machine's clock until the test fires them. `next` resolves with the next that is
 * set.
 */
function holdTimers({ clock }: TestApp, milliseconds: number): { next(): Promise<() => void> } {
  const after = clock.after.bind(clock);
  const set: (() => void)[] = [];
  let waiting = () => {};
  clock.after = (wait, callback) => {
    if (wait !== milliseconds) return after(wait, callback);
    set.push(callback);
    waiting();
    return () => {};
  };
  return {
    async next() {
      while (set.length === 0) {
        await new Promise<void>((resolve) => {
          waiting = resolve;
        });
      }
      return set.shift() as () => void;
    },
  };
}
