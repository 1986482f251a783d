import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DevServer, svc } from '../../support/cli/binary.js';
import { type Listening, startListening } from '../../support/cli/listening.js';
import { folderOfEachTest } from '../../support/each-test.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';

describe('webhooks listen when its server ends', () => {
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

  it.each(['SIGKILL', 'SIGTERM'] as const)('reports that after %s, reconnects, and loses no event', async (signal) => {
    await send('before');
    const sending = Promise.all(['a', 'b', 'c'].map(send));
    await sending;
    await dev.stop(signal);
    const lost = await listening.until(({ event }) => event === 'lost');
    expect(lost.at(-1).reason).toEqual(expect.any(String));
    // Received while no listener is connected.
    await send('between');

    dev = await folder.startServer();
    await listening.until(({ event }) => event === 'reconnected');
    // Without another event that would trigger its delivery.
    await arrival(['between']);
    await send('after');

    const all = ['before', 'a', 'b', 'c', 'between', 'after'];
    await arrival(all);
    expect([...arrived()].sort()).toEqual(all.map(address).sort());
    expect(await listening.stop('SIGTERM')).toEqual({ code: 143, stderr: '' });
  });

  const address = (name: string) => `${name}@example.test`;
  const arrived = () => new Set(receiver.received.map(({ body }) => JSON.parse(body.toString()).data.to));

  async function arrival(names: string[]): Promise<void> {
    while (!names.every((name) => arrived().has(address(name)))) await receiver.until(receiver.received.length + 1);
  }

  async function send(name: string): Promise<void> {
    const sent = await svc(['emails', 'send', '--to', address(name), '--json', '--data-dir', folder.path]);
    expect(sent).toMatchObject({ code: 0, stderr: '' });
  }
});
