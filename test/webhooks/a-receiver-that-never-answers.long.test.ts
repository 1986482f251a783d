import { expect, it } from 'vitest';
import { startApp } from '../support/servers/app.js';
import { startReceiver } from '../support/servers/receiver.js';

/**
 * Specification: Delivery rules, 2; gap 22. The one test that takes real time: socket timeouts use the machine's
 * clock.
 */

const WAITS_SECONDS = 30;

it('a receiver that never answers is abandoned after 30 seconds, and retried', async () => {
  const app = await startApp();
  const receiver = await startReceiver(() => {});
  app.clock.freeze();
  await app.call('POST', '/v1/webhooks', { url: receiver.url, events: ['template.created'] });
  await app.call('POST', '/v1/templates', { name: 'Hello', subject: 's', html: 'h' });

  await app.drain();

  const [delivery] = (await app.call('GET', '/_svc/deliveries')).json.data.deliveries;
  expect(delivery).toMatchObject({ state: 'pending', attempts: 1, status: null });
  expect(delivery.error).toContain(`${WAITS_SECONDS} s`);
  const { log } = (await app.call('GET', `/_svc/deliveries/${delivery.id}`)).json.data;
  expect(log[0].duration_ms).toBeGreaterThanOrEqual(WAITS_SECONDS * 1_000 - 50);
  expect(log[0].duration_ms).toBeLessThan((WAITS_SECONDS + 10) * 1_000);
  expect(delivery.next_attempt_at).not.toBeNull();
  await receiver.close();
  await app.closeClean();
});
