import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DevServer, startDev, svc } from '../support/cli/binary.js';
import { skippedWithout } from '../support/cli/tools.js';
import { type Disk, limitFileSize, mountSmallDisk, withoutMounts } from './full-disk.js';
import { type Mail, sendByRest, sendBySmtp } from './load.js';
import { eventsUntil, listAll } from './watch.js';

const kinds: [string, () => Disk | undefined, string][] = [
  ['a full file system', mountSmallDisk, withoutMounts],
  ['a file that may not grow', limitFileSize, skippedWithout('prlimit')],
];

describe.each(kinds)('%s', (_, make, missing) => {
  let disk: Disk | undefined;
  let server: DevServer | undefined;

  beforeEach((context) => {
    disk = make();
    context.skip(disk === undefined, missing);
  });
  afterEach(() => {
    server?.child.kill('SIGKILL');
    disk?.remove();
  });

  it('refuses what it cannot keep, loses nothing, answers reads, and continues when there is room again', async () => {
    const { dataDir, fill, free } = disk!;
    server = await startDev(['--data-dir', dataDir, '--plan', 'none']);
    const { ready, child } = server;
    const pid = child.pid!;
    const kept: string[] = [];
    const refusals: number[] = [];
    let made = 0;
    /** Sends until this many emails were kept, or one was refused. */
    const senderOf = (name: string, limit: number) => {
      let left = limit;
      return {
        next(): Mail | undefined {
          if (left === 0) return undefined;
          left -= 1;
          return { subject: `${name} ${made++}`, recipients: ['ada@example.test'] };
        },
        acknowledged: ({ subject }: Mail) => void kept.push(subject),
        refused(_mail: Mail, code: number) {
          left = 0;
          refusals.push(code);
        },
      };
    };
    await Promise.all([sendByRest(ready, senderOf('rest', 20)), sendBySmtp(ready, senderOf('smtp', 20))]);
    expect(kept).toHaveLength(40);

    fill(pid);
    await Promise.all([sendByRest(ready, senderOf('rest', 500)), sendBySmtp(ready, senderOf('smtp', 500))]);
    expect(refusals.toSorted()).toEqual([451, 500]);
    // A message whose parsing has to wait for room is listed once there is some; other kept messages are listed
    // already.
    const expectReadable = async () => {
      const listed = (await listAll(ready)).map(({ subject }) => subject);
      expect(kept).toEqual(expect.arrayContaining(listed));
      expect(listed).toEqual(expect.arrayContaining(kept.filter((subject) => subject.startsWith('rest'))));
    };
    await expectReadable();
    // Still full at the second attempt, and the server still answers.
    await Promise.all([sendByRest(ready, senderOf('rest', 500)), sendBySmtp(ready, senderOf('smtp', 500))]);
    expect(refusals.toSorted()).toEqual([451, 451, 500, 500]);
    await expectReadable();
    const mail = ['--to=ada@example.test', '--from=shop@example.test', '--subject=refused', '--html=x'];
    const refused = await svc(['emails', 'send', ...mail, '--data-dir', dataDir, '--json']);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(JSON.parse(refused.stderr).error).toMatchObject({
      code: 'internal_error',
      status: 500,
      message: expect.stringMatching(/^Cannot write to the database: .+\. Nothing of the request was stored\.$/),
      hint: expect.stringContaining('disk of the server’s data directory'),
    });

    free(pid);
    await Promise.all([sendByRest(ready, senderOf('rest', 20)), sendBySmtp(ready, senderOf('smtp', 20))]);
    expect(refusals).toHaveLength(4);
    const emails = await listAll(ready);
    await eventsUntil(ready, 'email.delivered', new Map(emails.map(({ id }) => [id, 1])));
    expect((await listAll(ready)).map(({ subject }) => subject).toSorted()).toEqual(kept.toSorted());
    expect(await server.stop()).toBe(0);

    const db = new Database(join(dataDir, 'mail.db'), { readonly: true });
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    const events = db.prepare("SELECT email_id || ' ' || type FROM events").pluck().all() as string[];
    const due = emails.flatMap(({ id }) => [`${id} email.sent`, `${id} email.delivered`]);
    expect(events.toSorted()).toEqual(due.toSorted());
    // No job failed because the disk was full (a parse job may remain whose message a reader had parsed meanwhile), and
    // the counters match the events exactly.
    const left = "SELECT kind, error FROM jobs WHERE error IS NOT NULL OR kind <> 'email.parse'";
    expect(db.prepare(left).all()).toEqual([]);
    expect(db.prepare('SELECT sum(sent), sum(delivered) FROM counters WHERE unit = 86400000').raw().get()).toEqual([
      emails.length,
      emails.length,
    ]);
    db.close();
  });
});
