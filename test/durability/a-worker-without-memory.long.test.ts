import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { skippedWithout } from '../support/cli/tools.js';
import { folderOfEachTest } from '../support/each-test.js';
import { deliver } from '../support/mail/smtp-session.js';
import { bytes, data, parsed } from '../support/servers/server-calls.js';
import { integrityOf } from './integrity.js';

/** Tests a worker that the system gives no more memory, and one that the system kills to get memory. */

const HEADER = 'From: app@example.test\r\nTo: ada@example.test\r\nSubject: Hi\r\n';
/** Needs a worker: simple messages are parsed by the server itself. */
const message = (kilobytes: number) =>
  `${HEADER}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: application/pdf\r\n` +
  `Content-Transfer-Encoding: base64\r\n\r\n${`${'QUJD'.repeat(19)}\r\n`.repeat((kilobytes * 1024) / 78)}--b--\r\n`;
const LARGE_KB = 4 * 1024;
const skipped = skippedWithout('prlimit');

describe.skipIf(skipped)(`a worker without memory${skipped}`, () => {
  const folder = folderOfEachTest();

  it.each([
    ['gets none from the system', (pid: string) => execFileSync('prlimit', ['--pid', pid, '--data=1'])],
    ['is killed by the system', (pid: string) => process.kill(Number(pid), 'SIGKILL')],
  ])('loses no acknowledged message when it %s', async (_, end) => {
    const { ready, stop } = await folder.startServer();
    const send = async (content: string) => idOf(await deliver(ready.smtp, content));
    await parsed(ready, await send(message(1)));

    const workers = childrenOf(ready.pid);
    expect(workers).not.toEqual([]);
    for (const pid of workers) end(pid);
    const large = message(LARGE_KB);
    const ids = [await send(large), await send(message(1))];

    const [first, second] = [await parsed(ready, ids[0]!), await parsed(ready, ids[1]!)];
    expect(second).toMatchObject({ parse_error: null, subject: 'Hi' });
    // A worker that ends while idle is replaced before the message. Else the message that ended it keeps the reason.
    if (first.parse_error !== null) expect(first.parse_error).toMatch(/^(The worker process|Processing) /);
    expect((await bytes(ready, `/_svc/emails/${ids[0]}/raw`)).equals(Buffer.from(large))).toBe(true);
    expect((await data(ready, '/v1/emails')).pagination.total).toBe(3);
    expect(childrenOf(ready.pid)).not.toEqual(workers);
    expect(await stop()).toBe(0);
    expect(integrityOf(folder.path)).toBe('ok');
  });
});

function idOf(reply: string | undefined): string {
  const id = /queued as (\S+)/.exec(reply ?? '')?.[1];
  if (id === undefined) throw new Error(`not accepted: ${reply}`);
  return id;
}

function childrenOf(pid: number): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      // The parent follows the state, after the name in parentheses. See proc(5).
      return readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').pop()?.split(' ')[1] === String(pid);
    } catch {
      return false;
    }
  });
}
