import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { LEASE_MS } from '../../../src/core/store.js';
import { type PostgresServer, startPostgres, withoutPostgres } from '../../support/postgres.js';
import { type Replica, type ReplicaProgram, replicaProgram } from '../../support/replicas/replicas.js';
import { seeded } from '../seeded.js';
import { loadWithKills } from './load-with-kills.js';
import { expectEmails, expectEventsOnce, expectIndexAgrees, namesOf } from './stored-state.js';
import { subscribe } from './subscriber.js';

const REPLICAS = 3;
const ROUNDS = 2;
/** For a machine that is busy, beyond the lease after which another replica runs a job. */
const SLOW_MS = 60_000;

describe.skipIf(withoutPostgres)(`all replicas on a database, killed at once under load${withoutPostgres}`, () => {
  let postgres: PostgresServer;
  let program: ReplicaProgram;
  let running: Promise<Replica[]> = Promise.resolve([]);
  vi.setConfig({ testTimeout: 600_000 });

  beforeAll(async () => {
    [postgres, program] = await Promise.all([startPostgres({ durable: true }), replicaProgram()]);
  });
  afterAll(async () => {
    await killAll();
    program?.remove();
    await postgres?.remove();
  });

  const killAll = async () => Promise.all((await running).map((replica) => replica.stop('SIGKILL')));

  it('keep every acknowledged message and every event once, and an index that agrees with the rows', async () => {
    const random = seeded(20_261_124);
    const url = await postgres.createDatabase();
    const settings = { storage: { postgres: url }, apiKey: 'svc_test_replicas', webhookSecret: 'whsec_replicas' };
    const startAll = () => Promise.all(Array.from({ length: REPLICAS }, () => program.start(settings)));
    running = startAll();
    const any = async () => (await running)[random(REPLICAS)]!.ready;
    const isOver = new AbortController();
    const subscribers = Array.from({ length: REPLICAS }, () => subscribe(any, isOver.signal));

    const load = await loadWithKills(any, {
      kills: ROUNDS,
      sendersEach: 3,
      between: () => 10 + random(80),
      async kill() {
        // Clients wait for the next start from now on.
        running = killAll().then(startAll);
        await running;
      },
    });

    const names = namesOf(await expectEmails(any, load), load);
    const database = new URL(url).pathname.slice(1);
    await expectEventsOnce(postgres.query, database, names, { subscribers, end: () => isOver.abort() });
    await expectIndexAgrees(postgres.query, database);
    await vi.waitFor(async () => expect(await postgres.query('SELECT * FROM jobs', database)).toEqual([]), {
      timeout: LEASE_MS + SLOW_MS,
      interval: 500,
    });
  });
});
