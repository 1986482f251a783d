import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { svc } from '../support/cli/binary.js';
import { folderOfEachTest } from '../support/each-test.js';
import { data, request } from '../support/servers/server-calls.js';
import { integrityOf } from './integrity.js';
import { sendBySmtp } from './load.js';

/** Tests another program that keeps a lock on the database, such as a database browser with an open transaction. */

const HOLD = `
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute('BEGIN IMMEDIATE')
print('locked', flush=True)
sys.stdin.readline()
db.execute('ROLLBACK')
print('released', flush=True)
sys.stdin.read()
`;
const LOCKED = 'another process has locked it';
const MAIL = { from: 'shop@example.test', to: ['ada@example.test'], html: '<p>Hi</p>' };

describe('a database that another process has locked', () => {
  const folder = folderOfEachTest();
  let holder: ChildProcess | undefined;
  afterEach(() => void holder?.kill('SIGKILL'));

  async function lock() {
    holder = spawn('python3', ['-c', HOLD, join(folder.path, 'mail.db')], { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(holder.stdout!, 'data');
  }
  async function unlock() {
    const released = once(holder!.stdout!, 'data');
    holder?.stdin?.write('\n');
    await released;
  }
  const send = (ready: Parameters<typeof request>[0], subject: string) =>
    request(ready, '/v1/emails', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...MAIL, subject }),
    });

  it('delays writes and no reads, until the lock is released', async () => {
    const { ready, stop } = await folder.startServer();
    expect((await send(ready, 'before')).status).toBe(201);
    await lock();

    let answered = false;
    const sending = send(ready, 'meanwhile').then((response) => {
      answered = true;
      return response.status;
    });
    const listed = await data(ready, '/v1/emails');
    expect({ answered, total: listed.pagination.total }).toEqual({ answered: false, total: 1 });
    await unlock();

    expect(await sending).toBe(201);
    expect(await stop()).toBe(0);
    expect(integrityOf(folder.path)).toBe('ok');
  });

  it('refuses writes with the reason when the lock is kept, and accepts them afterwards', async () => {
    const { ready, stop, stderr } = await folder.startServer();
    await lock();

    const codes: number[] = [];
    const mails = [{ subject: 'over SMTP', recipients: ['ada@example.test'] }];
    const [refused] = await Promise.all([
      send(ready, 'refused'),
      sendBySmtp(ready, {
        next: () => mails.pop(),
        acknowledged: () => void codes.push(250),
        refused: (_, code) => void codes.push(code),
      }),
    ]);
    expect(codes).toEqual([451]);
    expect(refused.status).toBe(500);
    expect((await refused.json()) as object).toMatchObject({
      error: {
        message: `Cannot write to the database: ${LOCKED}. Nothing of the request was stored.`,
        hint: expect.stringMatching(/^Close the program that has mail\.db open.* Then retry the request\.$/),
      },
    });
    expect((await data(ready, '/v1/emails')).emails).toEqual([]);
    await unlock();

    expect((await send(ready, 'after')).status).toBe(201);
    expect((await data(ready, '/v1/emails')).emails).toMatchObject([{ subject: 'after' }]);
    expect(await stop()).toBe(0);
    const printed = await stderr;
    expect(printed).toContain(`Cannot write to the database: ${LOCKED}. Close the program`);
    expect(printed).not.toContain('    at ');
    expect(integrityOf(folder.path)).toBe('ok');
  });

  it('is reported at the start of a server, and by a command without one', async () => {
    await svc(['emails', 'send', '--to', 'ada@example.test', '--data-dir', folder.path]);
    await lock();

    for (const command of [
      ['dev', '--http-port', '0', '--smtp-port', '0'],
      ['emails', 'send', '--to', 'ada@example.test'],
    ]) {
      const { code, stderr } = await svc([...command, '--data-dir', folder.path]);
      expect(code).toBe(1);
      expect(stderr).toContain(`Cannot use ${join(folder.path, 'mail.db')}: ${LOCKED}`);
      expect(stderr).toContain('Close the program that has mail.db open');
    }
    await unlock();

    const { ready } = await folder.startServer();
    expect((await data(ready, '/v1/emails')).pagination.total).toBe(1);
  });
});
