import { expect, it, vi } from 'vitest';
import { startApp } from '../support/servers/app.js';
import { startReceiver } from '../support/servers/receiver.js';

// As when the process has no file descriptor left to open the module with.
vi.mock('../../src/http/outbound/post.js', async (original) => {
  const actual = await original<typeof import('../../src/http/outbound/post.js')>();
  const createPost = vi.fn(actual.createPost).mockImplementationOnce(() => {
    throw new Error('EMFILE: too many open files');
  });
  return { ...actual, createPost };
});

it('a first attempt that cannot be made is recorded as failed and retried after 5 seconds', async () => {
  const app = await startApp();
  app.clock.freeze();
  const receiver = await startReceiver();
  await app.call('POST', '/v1/webhooks', { url: receiver.url, events: ['email.sent'] });
  await app.call('POST', '/v1/emails', { to: 'ada@example.test', from: 'a@b.test', subject: 'Hi', html: 'x' });
  await app.drain();
  expect(receiver.received).toHaveLength(0);

  await app.call('POST', '/_svc/clock/advance', { by: '5s' });

  const [{ id }] = (await app.call('GET', '/_svc/deliveries')).json.data.deliveries;
  const { log } = (await app.call('GET', `/_svc/deliveries/${id}`)).json.data;
  expect(log).toMatchObject([{ status: null, error: expect.stringContaining('EMFILE') }, { status: 200 }]);
  expect(receiver.received).toHaveLength(1);
  await receiver.close();
  await app.closeClean();
});
