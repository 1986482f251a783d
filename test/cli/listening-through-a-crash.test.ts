import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DevServer, startDev, svc, temporaryDirectory } from '../support/binary.js';
import { type Listening, startListening } from '../support/listening.js';
import { type Receiver, startReceiver } from '../support/receiver.js';

describe('webhooks listen when its server goes away', () => {
  let folder: ReturnType<typeof temporaryDirectory>;
  let dev: DevServer;
  let receiver: Receiver;
  let listening: Listening;

  beforeEach(async () => {
    folder = temporaryDirectory();
    dev = await startDev(['--data-dir', folder.path]);
    receiver = await startReceiver();
    const args = ['--forward-to', receiver.url, '--data-dir', folder.path, '--events', 'email.delivered'];
    listening = await startListening(args);
  });

  afterEach(async () => {
    listening.child.kill('SIGKILL');
    await receiver.close();
    await dev.stop('SIGKILL');
    folder.remove();
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

    dev = await startDev(['--data-dir', folder.path]);
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
