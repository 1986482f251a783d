import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startDev, svc } from '../../support/cli/binary.js';
import { type Listening, startListening } from '../../support/cli/listening.js';
import { folderOfEachTest } from '../../support/each-test.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';

/** Tests restarting `svc dev --in-memory` while `webhooks listen` runs: its events are numbered from one again. */

describe('webhooks listen when its server comes back without its log', () => {
  const folder = folderOfEachTest();
  let receiver: Receiver;
  let listening: Listening;

  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(async () => {
    listening.child.kill('SIGKILL');
    await receiver.close();
  });

  it.each([
    ['sent events', ['a', 'b', 'c']],
    ['sent none', []],
  ])('forwards everything from the new server, after one that %s', async (_, before) => {
    let dev = await startInMemory();
    listening = await startListening(['--forward-to', receiver.url, '--events', 'email.sent'], { env: env() });
    for (const name of before) await send(name);
    await receiver.until(before.length);
    await dev.stop();
    await listening.until(({ event }) => event === 'lost');

    dev = await startInMemory();
    // Before the listener reconnects; then no later event can trigger the delivery of this one.
    await send('between');
    await receiver.until(before.length + 1);
    await send('after');

    await receiver.until(before.length + 2);
    expect(recipients()).toEqual([...before, 'between', 'after'].map(address));
    // Once more: by now its cursor belongs to another log.
    await dev.stop();
    await listening.until(({ event }) => event === 'lost');
    dev = await startInMemory();
    await send('again');
    await receiver.until(before.length + 3);
    expect(recipients()).toEqual([...before, 'between', 'after', 'again'].map(address));
    await dev.stop();
  });

  const env = () => ({ SVC_DATA_DIR: folder.path });
  const startInMemory = () => startDev(['--in-memory'], { env: env() });
  const address = (name: string) => `${name}@example.test`;
  const recipients = () => receiver.received.map(({ body }) => JSON.parse(body.toString()).data.to);

  async function send(name: string): Promise<void> {
    const sent = await svc(['emails', 'send', '--to', address(name), '--json'], { env: env() });
    expect(sent).toMatchObject({ code: 0, stderr: '' });
  }
});
