import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { LEASE_MS } from '../../../src/core/store.js';
import { type PostgresServer, startPostgres, withoutPostgres } from '../../support/postgres.js';
import { type Replica, type ReplicaProgram, replicaProgram } from '../../support/replicas/replicas.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';
import { data } from '../../support/servers/server-calls.js';
import { seeded } from '../seeded.js';
import { loadWithKills } from './load-with-kills.js';
import { expectEmails, expectEventsOnce, expectIndexAgrees, namesOf } from './stored-state.js';
import { subscribe } from './subscriber.js';

const REPLICAS = 3;
const KILLS = 2;
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
  vi.setConfig({ testTimeout: 600_000 });

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
    await vi.waitFor(async () => expect(await runAt()).not.toBeNaN(), { timeout: 30_000 });
    expect(await runAt()).toBeLessThan(60_000);
    for (const replica of both) await replica.stop();
    await hooks.close();
  });

  it('store every acknowledged message once, and lose no event and no webhook', async () => {
    const random = seeded(20_261_123);
    const url = await postgres.createDatabase();
    const start = () => program.start({ storage: { postgres: url }, apiKey: KEY, webhookSecret: 'whsec_replicas' });
    replicas.push(...(await Promise.all(Array.from({ length: REPLICAS }, start))));
    const any = async () => replicas[random(replicas.length)]!.ready;

    /** The delay of the first attempt for each email and recipient, in milliseconds. */
    const delays = new Map<string, number>();
    receiver = await startReceiver((response, { body }) => {
      const { created_at, data: event } = JSON.parse(body.toString());
      const name = `${event.email_id} ${event.to}`;
      if (!delays.has(name)) delays.set(name, Date.now() - Date.parse(created_at));
      response.writeHead(200).end();
    });
    await data(await any(), '/v1/webhooks', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: receiver.url, events: ['email.delivered'] }),
    });

    const isOver = new AbortController();
    const subscribers = Array.from({ length: SUBSCRIBERS }, () => subscribe(any, isOver.signal));
    const load = await loadWithKills(any, {
      kills: KILLS,
      sendersEach: SENDERS_EACH,
      between: () => 10 + random(50),
      async kill() {
        const [killed] = replicas.splice(random(replicas.length), 1);
        await killed?.stop('SIGKILL');
        replicas.push(await start());
      },
    });

    const names = namesOf(await expectEmails(any, load), load);
    await vi.waitFor(() => expect(names.filter((name) => !delays.has(name))).toEqual([]), {
      timeout: LEASE_MS + SLOW_MS,
      interval: 200,
    });
    expect(Math.max(...delays.values())).toBeLessThan(LEASE_MS + SLOW_MS);

    const name = new URL(url).pathname.slice(1);
    await expectEventsOnce(postgres.query, name, names, { subscribers, end: () => isOver.abort() });
    await expectIndexAgrees(postgres.query, name);
    await vi.waitFor(async () => expect(await postgres.query('SELECT * FROM jobs', name)).toEqual([]), {
      timeout: LEASE_MS + SLOW_MS,
      interval: 500,
    });
  });
});
