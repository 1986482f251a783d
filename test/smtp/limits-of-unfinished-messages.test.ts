import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { OPEN_ACCESS } from '../../src/smtp/access.js';
import { MemoryBudget, MessageBuffer, UNBUDGETED_BYTES } from '../../src/smtp/message-buffer.js';
import { CONTENT_TIMEOUT_MS, IDLE_TIMEOUT_MS } from '../../src/smtp/server.js';
import { collectGarbage } from '../support/gc.js';
import { deliver, openSmtp, openSmtpData } from '../support/mail/smtp-session.js';
import { closeSmtpServersAfterEach, listenForSmtp } from '../support/servers/smtp-server.js';

const BUDGET = 100_000;
const LINE = `${'x'.repeat(998)}\r\n`;
/** What the budget does not count, and then 80,000 bytes or slightly more. */
const LARGE = LINE.repeat(Math.ceil((UNBUDGETED_BYTES + 80_000) / LINE.length));

closeSmtpServersAfterEach();
const listen = () => listenForSmtp({ unfinishedBytes: BUDGET });

/** Delivers until the server has read what other connections sent, at most 500 times; returns the last reply. */
async function deliverUntil(
  address: { host: string; port: number },
  message: string,
  code: string,
): Promise<string | undefined> {
  let reply: string | undefined;
  for (let attempt = 0; attempt < 500 && !reply?.startsWith(code); attempt += 1)
    reply = await deliver(address, message);
  return reply;
}

describe('the budget of unfinished messages', () => {
  it('refuses a large message when another uses it, and is available again after that one', async () => {
    const { address } = await listen();
    const first = await openSmtpData(address);
    first.write(LARGE);
    expect(await deliverUntil(address, LARGE, '452 4.')).toMatch(/^452 4\.3\.1 /);
    expect(await first.say('.')).toMatch(/^250/);
    expect(await deliver(address, LARGE)).toMatch(/^250/);
    first.socket.end();
  });

  it('does not count the first 256 KiB of a message', async () => {
    const { address } = await listen();
    const first = await openSmtpData(address);
    first.write(LARGE);
    expect(await deliverUntil(address, LARGE, '452')).toMatch(/^452/);
    expect(await deliver(address, LINE.repeat(260))).toMatch(/^250/);
    first.socket.destroy();
  });

  it('returns the share of a refused message while its client is still sending', async () => {
    const { address } = await listen();
    const slow = await openSmtpData(address);
    slow.write(LARGE);
    expect(await deliverUntil(address, LARGE, '452')).toMatch(/^452/);

    slow.write(LINE.repeat(40));

    expect(await deliverUntil(address, LARGE, '250')).toMatch(/^250/);
    expect(await slow.say('.')).toMatch(/^452/);
    slow.socket.end();
  });

  it('returns the share of a client that disconnects', async () => {
    const { address } = await listen();
    const session = await openSmtpData(address);
    session.write(LARGE);
    expect(await deliverUntil(address, LARGE, '452')).toMatch(/^452/);

    session.socket.destroySoon();
    await once(session.socket, 'close');

    expect(await deliverUntil(address, LARGE, '250')).toMatch(/^250/);
  });
});

describe('the time for the content of a message', () => {
  it('ends with 421 after ten minutes, and the share of the budget is returned', async () => {
    const { address, timers } = await listen();
    const slow = await openSmtpData(address);
    slow.write(LARGE);
    expect(await deliverUntil(address, LARGE, '452')).toMatch(/^452/);
    const [timer] = timers;
    expect(timer).toMatchObject({ milliseconds: 600_000, isCancelled: false });
    expect(CONTENT_TIMEOUT_MS).toBe(600_000);

    timer?.run();

    expect(await slow.reply()).toMatch(/^421 .*10 minutes/);
    expect(await slow.reply()).toBeUndefined();
    expect(await deliverUntil(address, LARGE, '250')).toMatch(/^250/);
    expect(timer?.isCancelled).toBe(true);
    slow.socket.destroy();
  });

  it('is not limited further once the message is complete', async () => {
    const { address, timers } = await listen();
    expect(await deliver(address, LINE)).toMatch(/^250/);
    expect(timers.map(({ isCancelled }) => isCancelled)).toEqual([true]);
  });
});

describe('a client that sends nothing', () => {
  it('is disconnected with 421 after a time, five minutes by default', async () => {
    const { address } = await listenForSmtp({ access: { ...OPEN_ACCESS, idleMs: 50 } });
    const idle = await openSmtpData(address);
    expect(await idle.reply()).toMatch(/^421 /);
    expect(await idle.reply()).toBeUndefined();
    expect(IDLE_TIMEOUT_MS).toBe(300_000);
  });
});

describe('the number of connections', () => {
  it('is limited: one more is answered with 421 and closed', async () => {
    const { address } = await listenForSmtp({ maxConnections: 2 });
    const sessions = [await openSmtpData(address), await openSmtpData(address)];

    const third = await openSmtp(address);
    expect(await third.reply()).toMatch(/^421 too many connections/);
    expect(await third.reply()).toBeUndefined();

    expect(await sessions[0]?.say('.')).toMatch(/^250/);
    await sessions[0]?.say('QUIT');
    expect(await (await openSmtp(address)).reply()).toMatch(/^220/);
    for (const { socket } of [...sessions, third]) socket.destroy();
  });
});

describe('the memory of a message', () => {
  const used = () => {
    collectGarbage();
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };

  it('is bounded by its bytes, however few of them arrive at a time', async () => {
    const buffer = new MessageBuffer(new MemoryBudget(BUDGET));
    const bytes = 200_000;
    const before = used();
    for (let at = 0; at < bytes; at += 1) buffer.append(Buffer.alloc(1, at));
    expect(used() - before).toBeLessThan(4 * bytes + 1_000_000);
    expect(await buffer.content()).toEqual(Buffer.from(Array.from({ length: bytes }, (_, at) => at % 256)));
  });

  it('is used once while the message is stored, and stays in the budget', async () => {
    const bytes = 32 * 1024 * 1024;
    const budget = new MemoryBudget(bytes);
    const buffer = new MessageBuffer(budget);
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const before = used();
    for (let at = 0; at < bytes; at += chunk.length) buffer.append(chunk);
    const content = await buffer.content();
    expect(used() - before).toBeLessThan(bytes + 4 * 1024 * 1024);
    expect(budget.take(bytes / 2)).toBe(false);
    buffer.release();
    expect(budget.take(bytes)).toBe(true);
    expect([content.length, content.every((byte) => byte === 0x78)]).toEqual([bytes, true]);
  });
});
