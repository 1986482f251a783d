import { once } from 'node:events';
import { existsSync, readFileSync, statSync, watch } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type DevServer,
  type Ready,
  startDev,
  start as startProcess,
  svc,
  temporaryDirectory,
} from '../support/cli/binary.js';
import { type Receiver, startReceiver } from '../support/servers/receiver.js';
import { request } from '../support/servers/server-calls.js';
import { indexProblems } from '../support/storage/index-problems.js';
import { integrityOf } from './integrity.js';
import { type Mail, sendByRest, sendBySmtp } from './load.js';
import { seeded } from './seeded.js';
import { eventsUntil, type Listed, listAll } from './watch.js';

const ROUNDS = Number(process.env.SVC_TEST_KILLS ?? 10);
const CONNECTIONS_EACH = 3;

function post(ready: Ready, path: string, body: object): Promise<Response> {
  return request(ready, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Waits for an email. Returns the IDs of the emails that were found before the server was killed. */
async function waitFor(ready: Ready, query: string): Promise<string[]> {
  try {
    const response = await post(ready, '/_svc/emails/wait', { query, since: 'start' });
    const { data } = (await response.json()) as { data: { emails: { id: string }[] } };
    return data.emails.map(({ id }) => id);
  } catch {
    return [];
  }
}

describe('a server that is killed under load', () => {
  let directory: ReturnType<typeof temporaryDirectory>;
  let running: DevServer | undefined;
  let receiver: Receiver;
  const start = async () => {
    running = await startDev(['--data-dir', directory.path, '--plan', 'none']);
    return running;
  };

  beforeEach(async () => {
    directory = temporaryDirectory();
    receiver = await startReceiver();
  });
  afterEach(async () => {
    running?.child.kill('SIGKILL');
    await receiver.close();
    directory.remove();
  });

  it(`has every acknowledged mail once, after ${ROUNDS} kills at random moments`, async () => {
    const random = seeded(20_260_517);
    const sent = new Map<string, Mail>();
    const acknowledged = new Set<string>();
    /** IDs of emails that waits have returned. */
    const waitedFor = new Set<string>();

    for (let round = 0; round < ROUNDS; round++) {
      const server = await start();
      if (round === 0) {
        await post(server.ready, '/v1/webhooks', {
          url: receiver.url,
          events: ['email.delivered'],
          secret: 'whsec_kill',
        });
      }
      await loadUntilKilled(server, round, 1 + random(60));
      // In some rounds the next server is killed while it starts.
      if (round % 5 === 4) await killWhileStarting(1 + random(8));
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
    // What a wait has returned is stored.
    expect([...waitedFor].filter((id) => !expected.has(id))).toEqual([]);
    expect(waitedFor.size).toBeGreaterThan(0);
    // Runs the retries of attempts that a kill has cut off.
    await post(server.ready, '/_svc/clock/advance', { by: '1h' });
    expect(await server.stop()).toBe(0);
    const posted = new Set(receiver.received.map(({ body }) => JSON.parse(body.toString()).data.email_id as string));
    expect([...expected.keys()].filter((id) => !posted.has(id))).toEqual([]);

    expect(integrityOf(directory.path)).toBe('ok');
    const db = new Database(join(directory.path, 'mail.db'), { readonly: true });
    expect(db.prepare("SELECT count(*) FROM deliveries WHERE state <> 'succeeded'").pluck().get()).toBe(0);
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
    expect(db.prepare('SELECT sum(sent), sum(delivered) FROM counters WHERE unit = 86400000').raw().get()).toEqual([
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
      const waiting = waitFor(ready, `subject:"round ${round} rest 0 0"`);
      await Promise.all(
        Array.from({ length: CONNECTIONS_EACH }, (_, n) => [
          sendBySmtp(ready, sender(`smtp ${n}`)),
          sendByRest(ready, sender(`rest ${n}`)),
        ]).flat(),
      );
      await killed;
      for (const id of await waiting) waitedFor.add(id);
      expect(child.signalCode).toBe('SIGKILL');
    }

    /** Kills a server when its data directory has changed this often, or once it is ready. */
    async function killWhileStarting(changes: number): Promise<void> {
      const child = startProcess([
        'dev',
        '--http-port',
        '0',
        '--smtp-port',
        '0',
        '--json',
        '--data-dir',
        directory.path,
      ]);
      let left = changes;
      const watcher = watch(directory.path, () => {
        left -= 1;
        if (left === 0) child.kill('SIGKILL');
      });
      child.stdout?.once('data', () => child.kill('SIGKILL'));
      child.stderr?.resume();
      await once(child, 'exit');
      watcher.close();
    }
  }, 1_200_000);

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
