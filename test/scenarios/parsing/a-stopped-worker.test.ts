import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { deliver } from '../../support/mail/smtp-session.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

/** Stops the worker processes of a server, as a busy machine does: reads after 250 are complete, or marked. */

const ANY_PORT = { host: '127.0.0.1', port: 0 };
const message = (n: number) =>
  [
    'From: Shop <shop@x.test>',
    'To: ada@example.test',
    `Subject: =?utf-8?q?Order_${n}_=E2=9C=93?=`,
    'Content-Type: multipart/mixed; boundary="b"',
    '',
    '--b',
    'Content-Type: text/html; charset=utf-8',
    '',
    `<p>Order ${n}</p>`,
    '--b',
    'Content-Type: application/octet-stream',
    'Content-Disposition: attachment; filename="a.bin"',
    '',
    'x',
    '--b--',
    '',
  ].join('\r\n');

/** Returns the worker processes that this process has started. */
function workers(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const parent = Number(/\nPPid:\t(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
        return parent === process.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('worker.js');
      } catch {
        return false;
      }
    });
}

let app: TestApp;
let stopped: number[] = [];
afterEach(async () => {
  for (const pid of stopped) process.kill(pid, 'SIGCONT');
  stopped = [];
  await app.closeClean();
});

it.runIf(process.platform === 'linux')(
  'leaves no read after 250 incomplete and unmarked, and all are complete when the worker continues',
  async () => {
    const before = new Set(workers());
    // With workers of its own, which it stops.
    app = await startApp({ processing: {}, parsingLimitMs: 50 });
    const { smtp } = await app.listen({ http: ANY_PORT, smtp: ANY_PORT });
    await deliver(smtp, message(0));
    await app.call('POST', '/_svc/settle', {});
    stopped = workers().filter((pid) => !before.has(pid));
    expect(stopped).not.toEqual([]);
    for (const pid of stopped) process.kill(pid, 'SIGSTOP');

    const parsing: boolean[] = [];
    for (let n = 1; n <= 5; n += 1) {
      const id = /msg_\w+/.exec((await deliver(smtp, message(n))) ?? '')?.[0] ?? '';
      const { emails } = (await app.call('GET', '/_svc/emails?limit=1')).json.data;
      expect(emails).toMatchObject([{ id, subject: `Order ${n} ✓`, from: 'Shop <shop@x.test>' }]);
      const [{ parsing: isMarked, attachment_count: attachments }] = emails;
      expect(isMarked || attachments === 1).toBe(true);
      const v1 = (await app.call('GET', '/v1/emails?limit=1')).json.data.emails;
      expect(v1).toMatchObject([{ id, subject: `Order ${n} ✓`, to: 'ada@example.test' }]);
      parsing.push(isMarked);
    }
    expect(parsing).toContain(true);

    for (const pid of stopped) process.kill(pid, 'SIGCONT');
    stopped = [];
    expect((await app.call('POST', '/_svc/settle', {})).json.data).toEqual({ settled: true });
    const { emails } = (await app.call('GET', '/_svc/emails')).json.data;
    expect(emails).toHaveLength(6);
    for (const email of emails)
      expect(email).toMatchObject({ parsing: false, attachment_count: 1, status: 'delivered' });
  },
);
