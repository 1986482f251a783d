import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DevServer, startDev, svc, temporaryDirectory } from '../support/cli/binary.js';
import { indexProblems } from '../support/storage/index-problems.js';
import { type Mail, sendByRest, sendBySmtp } from './load.js';
import { eventsUntil, type Listed, listAll } from './watch.js';

const ROUNDS = 22;
const CONNECTIONS_EACH = 3;

/** Returns a small generator (mulberry32), so that a run can be repeated. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

describe('a server that is killed under load', () => {
  let directory: ReturnType<typeof temporaryDirectory>;
  let running: DevServer | undefined;
  const start = async () => {
    running = await startDev(['--data-dir', directory.path, '--plan', 'none']);
    return running;
  };

  beforeEach(() => {
    directory = temporaryDirectory();
  });
  afterEach(() => {
    running?.child.kill('SIGKILL');
    directory.remove();
  });

  it(`has every acknowledged mail once, after ${ROUNDS} kills at random moments`, async () => {
    const random = seeded(20_260_517);
    const sent = new Map<string, Mail>();
    const acknowledged = new Set<string>();

    for (let round = 0; round < ROUNDS; round++) {
      const server = await start();
      await loadUntilKilled(server, round, 1 + random(120));
    }

    const server = await start();
    // A message that was not parsed before the kill has no subject until it is.
    const ids = (await listAll(server.ready)).map(({ id }): [string, number] => [id, 1]);
    await eventsUntil(server.ready, 'email.sent', new Map(ids));
    const emails = await listAll(server.ready);
    expect(emails).toHaveLength(ids.length);
    const bySubject = new Map(emails.map((email) => [email.subject, email]));
    expect(bySubject.size).toBe(emails.length);
    expect([...acknowledged].filter((subject) => !bySubject.has(subject))).toEqual([]);
    expect(emails.filter(({ subject }) => !sent.has(subject))).toEqual([]);
    for (const name of ['smtp', 'rest']) {
      expect([...acknowledged].filter((subject) => subject.includes(name)).length, name).toBeGreaterThan(ROUNDS);
    }

    const recipientsOf = (email: Listed) => sent.get(email.subject)!.recipients;
    const expected = new Map(emails.map((email) => [email.id, recipientsOf(email).length]));
    await eventsUntil(server.ready, 'email.delivered', expected);
    expect((await listAll(server.ready)).filter(({ status }) => status !== 'delivered')).toEqual([]);
    expect(await server.stop()).toBe(0);

    const db = new Database(join(directory.path, 'mail.db'), { readonly: true });
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    // One email.sent and one email.delivered to each recipient of each email, and nothing else.
    const events = db
      .prepare("SELECT email_id || ' ' || recipient || ' ' || type FROM events")
      .pluck()
      .all() as string[];
    const due = emails.flatMap((email) =>
      recipientsOf(email).flatMap((to) => [`${email.id} ${to} email.sent`, `${email.id} ${to} email.delivered`]),
    );
    expect(events.toSorted()).toEqual(due.toSorted());
    expect(db.prepare('SELECT count(*) FROM jobs').pluck().get()).toBe(0);
    expect(db.prepare('SELECT sum(sent), sum(delivered) FROM counters WHERE unit = 1').raw().get()).toEqual([
      due.length / 2,
      due.length / 2,
    ]);
    db.close();
    expect(indexProblems(join(directory.path, 'mail.db'))).toEqual([]);

    async function loadUntilKilled({ ready, child, stop }: DevServer, round: number, after: number): Promise<void> {
      let count = 0;
      let made = 0;
      let killed: Promise<unknown> | undefined;
      const sender = (name: string) => ({
        next(): Mail | undefined {
          if (killed) return undefined;
          const subject = `round ${round} ${name} ${made++}`;
          const recipients = made % 5 === 0 ? ['ada@example.test', 'bob@example.test'] : ['ada@example.test'];
          const mail = { subject, recipients };
          sent.set(subject, mail);
          return mail;
        },
        acknowledged({ subject }: Mail) {
          acknowledged.add(subject);
          count += 1;
          if (count === after) killed = stop('SIGKILL');
        },
      });
      await Promise.all(
        Array.from({ length: CONNECTIONS_EACH }, (_, n) => [
          sendBySmtp(ready, sender(`smtp ${n}`)),
          sendByRest(ready, sender(`rest ${n}`)),
        ]).flat(),
      );
      await killed;
      expect(child.signalCode).toBe('SIGKILL');
    }
  }, 240_000);

  it('leaves a server.json behind, which is recognized as stale and replaced', async () => {
    const file = join(directory.path, 'server.json');
    const first = await start();
    const left = readFileSync(file, 'utf8');
    await first.stop('SIGKILL');
    expect(readFileSync(file, 'utf8')).toBe(left);

    // A command without a server opens the database itself.
    const listed = await svc(['emails', 'list', '--json'], { env: { SVC_DATA_DIR: directory.path } });
    expect(listed).toMatchObject({ code: 0, stderr: '' });

    const second = await start();
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      pid: second.ready.pid,
      base_url: second.ready.base_url,
      instance: expect.not.stringMatching((JSON.parse(left) as { instance: string }).instance),
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await second.stop()).toBe(0);
    expect(existsSync(file)).toBe(false);
  });
});
