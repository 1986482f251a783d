import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { LEASE_MS } from '../../../src/core/store.js';
import { type PostgresServer, startPostgres, withoutPostgres } from '../../support/postgres.js';
import { type Replica, type ReplicaProgram, replicaProgram } from '../../support/replicas/replicas.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';
import { data } from '../../support/servers/server-calls.js';
import { type Mail, sendByRest, sendBySmtp } from '../load.js';
import { seeded } from '../seeded.js';
import { eventsUntil, type Listed, listAll } from '../watch.js';
import { type Heard, subscribe } from './subscriber.js';

const REPLICAS = 3;
const KILLS = 8;
const SENDERS_EACH = 3;
const SUBSCRIBERS = 3;
const KEY = 'svc_test_replicas';
/** For a machine that is busy, beyond the lease after which another replica makes an attempt. */
const SLOW_MS = 20_000;

describe.skipIf(withoutPostgres)(`replicas on one database that are killed under load${withoutPostgres}`, () => {
  let postgres: PostgresServer;
  let program: ReplicaProgram;
  let receiver: Receiver;
  const replicas: Replica[] = [];
  vi.setConfig({ testTimeout: 600_000, hookTimeout: 60_000 });

  beforeAll(async () => {
    [postgres, program] = await Promise.all([startPostgres({ durable: true }), replicaProgram()]);
  });
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.stop('SIGKILL')));
    await receiver?.close();
    program?.remove();
    await postgres?.remove();
  });

  it('have one time, although the clocks of their machines differ by ten minutes', async () => {
    const url = await postgres.createDatabase();
    const settings = { storage: { postgres: url }, apiKey: KEY, webhookSecret: 'whsec_replicas' };
    const both = await Promise.all([program.start(settings), program.start({ ...settings, skewMs: 600_000 })]);
    const offsets = both.map(async ({ ready }) => Date.parse((await data(ready, '/_svc/clock')).now) - Date.now());
    for (const offset of await Promise.all(offsets)) expect(Math.abs(offset)).toBeLessThan(5_000);
    // A lease that was taken with another time would be longer, or over at once.
    const hooks = await startReceiver((response) => response.writeHead(500).end());
    const json = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const body = JSON.stringify({ url: hooks.url, events: ['email.sent'] });
    await data(both[0]!.ready, '/v1/webhooks', { ...json, body });
    const email = { from: 'shop@example.test', to: ['ada@example.test'], subject: 'skewed', html: '<p>Hi.</p>' };
    await data(both[1]!.ready, '/v1/emails', { ...json, body: JSON.stringify(email) });
    await hooks.until(1);
    const name = new URL(url).pathname.slice(1);
    const runAt = async () => {
      const [job] = await postgres.query(
        "SELECT run_at FROM jobs WHERE kind = 'webhook.attempt' AND lease_until = 0",
        name,
      );
      return Number(job?.run_at) - Date.now();
    };
    // The second attempt is planned, on the time of both.
    await vi.waitFor(async () => expect(await runAt()).not.toBeNaN(), { timeout: 10_000 });
    expect(await runAt()).toBeLessThan(60_000);
    for (const replica of both) await replica.stop();
    await hooks.close();
  });

  it('store every acknowledged message once, and lose no event and no webhook', async () => {
    const random = seeded(20_261_123);
    const url = await postgres.createDatabase();
    const start = () => program.start({ storage: { postgres: url }, apiKey: KEY, webhookSecret: 'whsec_replicas' });
    replicas.push(...(await Promise.all(Array.from({ length: REPLICAS }, start))));
    const any = () => replicas[random(replicas.length)]!.ready;

    /** The delay of the first attempt for each email and recipient, in milliseconds. */
    const delays = new Map<string, number>();
    receiver = await startReceiver((response, { body }) => {
      const { created_at, data: event } = JSON.parse(body.toString());
      const name = `${event.email_id} ${event.to}`;
      if (!delays.has(name)) delays.set(name, Date.now() - Date.parse(created_at));
      response.writeHead(200).end();
    });
    await data(any(), '/v1/webhooks', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: receiver.url, events: ['email.delivered'] }),
    });

    const isOver = new AbortController();
    const subscribers = Array.from({ length: SUBSCRIBERS }, () => subscribe(any, isOver.signal));
    const { sent, acknowledged, refused } = await loadWithKills();

    const ids = (await listAll(any())).map(({ id }): [string, number] => [id, 1]);
    await eventsUntil(any(), 'email.sent', new Map(ids));
    const emails = await listAll(any());
    const bySubject = new Map(emails.map((email) => [email.subject, email]));
    expect(bySubject.size).toBe(emails.length);
    expect([...acknowledged].filter((subject) => !bySubject.has(subject))).toEqual([]);
    expect(emails.filter(({ subject }) => !sent.has(subject))).toEqual([]);
    expect(refused).toEqual([]);

    const recipientsOf = (email: Listed) => sent.get(email.subject)!.recipients;
    await eventsUntil(any(), 'email.delivered', new Map(emails.map((email) => [email.id, recipientsOf(email).length])));
    const names = emails.flatMap((email) => recipientsOf(email).map((to) => `${email.id} ${to}`));
    await vi.waitFor(() => expect(names.filter((name) => !delays.has(name))).toEqual([]), {
      timeout: LEASE_MS + SLOW_MS,
      interval: 200,
    });
    expect(Math.max(...delays.values())).toBeLessThan(LEASE_MS + SLOW_MS);

    const name = new URL(url).pathname.slice(1);
    const rows = await postgres.query('SELECT seq, id, type, email_id, recipient FROM events ORDER BY seq', name);
    const stored = rows.map(({ seq, id }): Heard => ({ seq: Number(seq), id: String(id) }));
    // One email.sent and one email.delivered to each recipient of each email.
    const ofEmails = rows.filter(({ email_id }) => email_id !== null);
    const made = ofEmails.map(({ type, email_id, recipient }) => `${email_id} ${recipient} ${type}`);
    expect(made.toSorted()).toEqual(
      names.flatMap((each) => [`${each} email.delivered`, `${each} email.sent`]).toSorted(),
    );
    for (const subscriber of subscribers) await subscriber.until(stored.at(-1)!.seq);
    isOver.abort();
    for (const subscriber of subscribers) expect(await subscriber.heard).toEqual(stored);
    expect(subscribers.reduce((sum, { resumed }) => sum + resumed(), 0)).toBeGreaterThan(0);
    await vi.waitFor(async () => expect(await postgres.query('SELECT * FROM jobs', name)).toEqual([]), {
      timeout: LEASE_MS + SLOW_MS,
      interval: 500,
    });

    async function loadWithKills() {
      const sent = new Map<string, Mail>();
      const acknowledged = new Set<string>();
      const refused: string[] = [];
      let made = 0;
      let kills = 0;
      let untilKill = 10 + random(50);
      let killing: Promise<void> | undefined;
      const sender = {
        next(): Mail | undefined {
          if (kills >= KILLS) return undefined;
          made += 1;
          const subject = `mail ${made}`;
          const recipients = made % 5 === 0 ? ['ada@example.test', 'bob@example.test'] : ['ada@example.test'];
          const mail = { subject, recipients };
          sent.set(subject, mail);
          return mail;
        },
        acknowledged({ subject }: Mail) {
          acknowledged.add(subject);
          untilKill -= 1;
          if (untilKill <= 0 && !killing) {
            killing = replace(random(replicas.length)).finally(() => {
              untilKill = 10 + random(50);
              killing = undefined;
              kills += 1;
            });
          }
        },
        refused: ({ subject }: Mail, code: number) => void refused.push(`${subject}: ${code}`),
      };
      const repeat = async (send: () => Promise<void>) => {
        while (kills < KILLS) await send();
      };
      const senders = Array.from({ length: SENDERS_EACH }, () => [
        repeat(() => sendBySmtp(any(), sender, { logIn: true })),
        repeat(() => sendByRest(any(), sender)),
      ]);
      await Promise.all(senders.flat());
      await killing;
      return { sent, acknowledged, refused };
    }

    async function replace(index: number): Promise<void> {
      const [killed] = replicas.splice(index, 1);
      await killed?.stop('SIGKILL');
      replicas.push(await start());
    }
  });
});
