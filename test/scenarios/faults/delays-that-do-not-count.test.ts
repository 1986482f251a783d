import { createTransport } from 'nodemailer';
import { expect, it } from 'vitest';
import { BurstGate } from '../../../src/core/jobs/ingest-backpressure.js';
import { startServing } from '../../support/faults/serving.js';
import { TEST_KEY } from '../../support/servers/app.js';
import { ManualTimers } from '../../support/servers/manual-timers.js';

/** Tests that the delay of a fault is no load of the server. */

const HOUR_MS = 3_600_000;

it('a delayed message does not defer the jobs of others', async () => {
  let now = 0;
  const timers = new ManualTimers();
  const gate = new BurstGate({ systemNow: () => now, after: (...args) => timers.after(...args) });
  const never = new Promise<void>(() => {});
  void gate.track((apart) => apart(never));
  now += 100;
  void gate.track(() => never);
  expect(gate.isActive).toBe(false);
  now += 100;
  void gate.track(() => never);
  expect(gate.isActive).toBe(true);
});

it('the metrics of a team have the time of a message without the delay', async () => {
  const { app, smtp, add, list } = await startServing({ access: 'team' });
  await add({ smtp: 'end', delay: '1h' });
  const transport = createTransport({ ...smtp, auth: { user: 'any', pass: TEST_KEY } });
  const delayed = transport.sendMail({ from: 'a@example.test', to: 'ada@example.test', subject: 'Hi', text: 'hi' });
  await expect.poll(async () => (await list())[0].hits).toBe(1);
  app.clock.correct(HOUR_MS);
  await delayed;
  const { body } = await app.http.inject({
    url: '/metrics',
    headers: { host: 'localhost', authorization: `Bearer ${TEST_KEY}` },
  });
  expect(Number(/^svc_ingest_seconds_sum\{source="smtp"\} (.*)$/m.exec(body)?.[1])).toBeLessThan(60);
  await app.closeClean();
});
