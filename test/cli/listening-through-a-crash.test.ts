import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DevServer, svc } from '../support/binary.js';
import { folderOfEachTest } from '../support/each-test.js';
import { type Listening, startListening } from '../support/listening.js';
import { type Receiver, startReceiver } from '../support/receiver.js';

describe('webhooks listen when its server goes away', () => {
  const folder = folderOfEachTest();
  let dev: DevServer;
  let receiver: Receiver;
  let listening: Listening;

  beforeEach(async () => {
    dev = await folder.startServer();
    receiver = await startReceiver();
    const args = ['--forward-to', receiver.url, '--data-dir', folder.path, '--events', 'email.delivered'];
    listening = await startListening(args);
  });

  afterEach(async () => {
    listening.child.kill('SIGKILL');
    await receiver.close();
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)('says so after %s, connects again, and loses no event', async (signal) => {
    await send('before');
    const sending = Promise.all(['a', 'b', 'c'].map(send));
    await sending;
    await dev.stop(signal);
    const lost = await listening.until(({ event }) => event === 'lost');
    expect(lost.at(-1).reason).toEqual(expect.any(String));
    // Taken in while nobody listens.
    await send('between');

    dev = await folder.startServer();
    await listening.until(({ event }) => event === 'reconnected');
    await send('after');

    const arrived = () => new Set(receiver.received.map(({ body }) => JSON.parse(body.toString()).data.to));
    const wanted = ['before', 'a', 'b', 'c', 'between', 'after'].map(address);
    while (!wanted.every((to) => arrived().has(to))) await receiver.until(receiver.received.length + 1);
    expect([...arrived()].sort()).toEqual([...wanted].sort());
    expect(await listening.stop('SIGTERM')).toEqual({ code: 143, stderr: '' });
  });

  const address = (name: string) => `${name}@example.test`;

  async function send(name: string): Promise<void> {
    const sent = await svc(['emails', 'send', '--to', address(name), '--json', '--data-dir', folder.path]);
    expect(sent).toMatchObject({ code: 0, stderr: '' });
  }
});
