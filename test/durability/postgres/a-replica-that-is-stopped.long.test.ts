import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PostgresServer, startPostgres, withoutPostgres } from '../../support/postgres.js';
import { type Replica, type ReplicaProgram, replicaProgram } from '../../support/replicas/replicas.js';
import { data } from '../../support/servers/server-calls.js';

const KEY = 'svc_test_stopped';
/** The longest wait of others for a replica that was stopped while it wrote. */
const LONGEST_MS = 5_000;

let postgres: PostgresServer;
let program: ReplicaProgram;
let url: string;
let name: string;
const replicas: Replica[] = [];

beforeAll(async () => {
  if (withoutPostgres) return;
  [postgres, program] = await Promise.all([startPostgres({ durable: true }), replicaProgram()]);
  url = await postgres.createDatabase();
  name = new URL(url).pathname.slice(1);
  const settings = { storage: { postgres: url }, apiKey: KEY, webhookSecret: 'whsec_stopped' };
  while (replicas.length < 2) replicas.push(await program.start(settings));
});
afterAll(async () => {
  for (const { child } of replicas) child.kill('SIGCONT');
  await Promise.all(replicas.map((replica) => replica.stop('SIGKILL')));
  program?.remove();
  await postgres?.remove();
});

function send({ ready }: Replica, subject: string) {
  const email = { from: 'shop@example.test', to: ['ada@example.test'], subject, html: '<p>Hi.</p>' };
  const headers = { 'content-type': 'application/json' };
  return data(ready, '/v1/emails', { method: 'POST', headers, body: JSON.stringify(email) });
}

/** Sessions of writers in a state, without those of this test. */
const writers = (condition: string) =>
  postgres.query(`SELECT pid FROM pg_stat_activity WHERE application_name = 'svc writer' AND ${condition}`, name);

it.skipIf(withoutPostgres)(
  `while it holds the lock delays others by at most 5 s, and repeats its write when it continues${withoutPostgres}`,
  async () => {
    const [stopped, other] = replicas as [Replica, Replica];
    await send(stopped, 'before');
    await send(other, 'before');
    // Nothing else is left to write.
    await expect.poll(() => postgres.query('SELECT id FROM requests', name)).toHaveLength(2);
    // The stopped replica gets the lock, and does not continue.
    const holder = new Client(url);
    await holder.connect();
    await holder.query('BEGIN; SELECT * FROM ledger FOR UPDATE');
    const sent = send(stopped, 'from the stopped replica');
    await expect.poll(() => writers("wait_event_type = 'Lock'")).toHaveLength(1);
    stopped.child.kill('SIGSTOP');
    await holder.query('COMMIT');
    await expect.poll(() => writers("state = 'idle in transaction'")).toHaveLength(1);

    const began = performance.now();
    await send(other, 'from the other replica');
    const tookMs = performance.now() - began;
    await send(other, 'afterwards');
    await holder.end();
    expect(tookMs).toBeLessThan(LONGEST_MS);

    stopped.child.kill('SIGCONT');
    await sent;
    const { emails } = await data(other.ready, '/v1/emails');
    expect(emails.map(({ subject }: { subject: string }) => subject)).toEqual([
      'from the stopped replica',
      'afterwards',
      'from the other replica',
      'before',
      'before',
    ]);
    const numbers = (await postgres.query('SELECT seq FROM events ORDER BY seq', name)).map(({ seq }) => Number(seq));
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    expect(numbers.length).toBeGreaterThanOrEqual(emails.length);
  },
);
