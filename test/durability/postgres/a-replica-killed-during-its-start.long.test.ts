import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type PostgresServer, startPostgres, withoutPostgres } from '../../support/postgres.js';
import { type ReplicaProgram, replicaProgram } from '../../support/replicas/replicas.js';
import { data } from '../../support/servers/server-calls.js';
import { listAll } from '../watch.js';

const KEY = 'svc_test_replicas';
/** The advisory lock of migrations. */
const MIGRATION = 0x73766331;
/** An advisory lock of this test, which a trigger waits for after the table `emails` was created. */
const CREATED = 1;
const PAUSE_AFTER_EMAILS = `
  CREATE FUNCTION pause() RETURNS event_trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF EXISTS (SELECT FROM pg_event_trigger_ddl_commands() WHERE object_identity = 'public.emails') THEN
      PERFORM pg_advisory_xact_lock(${CREATED});
    END IF;
  END $$;
  CREATE EVENT TRIGGER pause ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION pause()`;

describe.skipIf(withoutPostgres)(`a replica that is killed during its start${withoutPostgres}`, () => {
  let postgres: PostgresServer;
  let program: ReplicaProgram;

  beforeAll(async () => {
    [postgres, program] = await Promise.all([startPostgres({ durable: true }), replicaProgram()]);
  });
  afterAll(async () => {
    program?.remove();
    await postgres?.remove();
  });

  const settingsOf = (url: string) => ({ storage: { postgres: url }, apiKey: KEY, webhookSecret: 'whsec_replicas' });
  const nameOf = (url: string) => new URL(url).pathname.slice(1);

  /** Waits until this number of connections to a database wait for locks. */
  async function waiting(url: string, count: number): Promise<void> {
    const sql = `SELECT 1 FROM pg_stat_activity WHERE datname = '${nameOf(url)}' AND wait_event_type = 'Lock'`;
    await vi.waitFor(async () => expect(await postgres.query(sql)).toHaveLength(count), { timeout: 60_000 });
  }

  /** Starts a replica, kills it while it waits for a lock of this test, and then releases the lock. */
  async function startAndKill(url: string, lock: string, beforeRelease = async () => {}): Promise<void> {
    const holder = new Client(url);
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query(lock);
    const { child, ready } = program.begin(settingsOf(url));
    const failed = expect(ready).rejects.toThrow('did not start');
    await waiting(url, 1);
    child.kill('SIGKILL');
    await failed;
    await beforeRelease();
    await holder.query('COMMIT');
    await holder.end();
  }

  /** Starts a replica, sends an email, and ends it at once. Returns the subjects of all emails. */
  async function startAndSend(url: string, subject: string): Promise<string[]> {
    const replica = await program.start(settingsOf(url));
    await data(replica.ready, '/v1/emails', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ from: 'shop@example.test', to: ['ada@example.test'], subject, html: '<p>Hi.</p>' }),
    });
    const emails = await listAll(replica.ready);
    await replica.stop('SIGKILL');
    return emails.map((email) => email.subject).toSorted();
  }

  it.each([
    ['waits for another one to migrate', `SELECT pg_advisory_xact_lock(${MIGRATION})`],
    ['makes its first write', 'SELECT * FROM ledger FOR UPDATE'],
  ])('while it %s loses nothing, and the next start succeeds', async (_, lock) => {
    const url = await postgres.createDatabase();
    expect(await startAndSend(url, 'before')).toEqual(['before']);

    await startAndKill(url, lock);

    expect(await startAndSend(url, 'later')).toEqual(['before', 'later']);
  });

  it('while it migrates leaves no part of the schema, and the next start migrates', async () => {
    const url = await postgres.createDatabase();
    await postgres.query(PAUSE_AFTER_EMAILS, nameOf(url));

    await startAndKill(url, `SELECT pg_advisory_xact_lock(${CREATED})`);

    const isLocked = `SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = database
      WHERE datname = '${nameOf(url)}' AND locktype = 'advisory'`;
    await vi.waitFor(async () => expect(await postgres.query(isLocked)).toEqual([]), { timeout: 60_000 });
    expect(await postgres.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'", nameOf(url))).toEqual(
      [],
    );
    expect(await startAndSend(url, 'first')).toEqual(['first']);
    expect(await postgres.query('SELECT version FROM schema_version', nameOf(url))).toHaveLength(1);
  });

  it('while it migrates does not keep the next start from it', async () => {
    const url = await postgres.createDatabase();
    await postgres.query(PAUSE_AFTER_EMAILS, nameOf(url));

    let next: Promise<string[]> | undefined;
    await startAndKill(url, `SELECT pg_advisory_xact_lock(${CREATED})`, async () => {
      next = startAndSend(url, 'first');
      // PostgreSQL has not missed the killed one yet, whose connection has the lock of migrations.
      await waiting(url, 2);
    });

    expect(await next).toEqual(['first']);
  });
});
