import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../../src/core/store.js';
import { FIRST_VERSION, UnusableDatabaseError } from '../../../src/storage/common/schema-version.js';
import { migrate } from '../../../src/storage/postgres/migrations.js';
import { openPostgresStore } from '../../../src/storage/postgres/store.js';
import { type PostgresServer, startPostgres, withoutPostgres } from '../../support/postgres.js';

const open = (url: string) => openPostgresStore(url, { process: 'test' });

describe.skipIf(withoutPostgres)(`a PostgreSQL database${withoutPostgres}`, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres({ durable: true });
  });
  afterAll(() => server.remove());

  async function refusal(url: string): Promise<UnusableDatabaseError> {
    const error = await open(url).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(UnusableDatabaseError);
    const { message, advice } = error as UnusableDatabaseError;
    expect(`${message} ${advice}`).not.toContain(server.password);
    expect(`${message} ${advice}`).not.toContain('s3cret');
    return error as UnusableDatabaseError;
  }

  it('is named in the error for a wrong password, an unknown database, another port and a wrong URL', async () => {
    const place = (name: string) => `the PostgreSQL database "${name}" on 127.0.0.1:${server.port} as user "svc"`;
    expect((await refusal(server.url('postgres', { password: 's3cret' }))).message).toBe(
      `Cannot use ${place('postgres')}: wrong password.`,
    );
    const unknown = await refusal(server.url('none'));
    expect([unknown.message, unknown.advice]).toEqual([
      `Cannot use ${place('none')}: the database does not exist.`,
      'Create it with "createdb", or correct the database URL.',
    ]);
    const { port, close } = await closedPort();
    close();
    expect((await refusal(server.url('postgres', { port }))).message).toContain(`127.0.0.1:${port}`);
    expect((await refusal('postgres://user:s3cret@[bad')).message).toBe('The database URL is invalid.');
  });

  it('of another program is left unchanged', async () => {
    const url = await server.createDatabase();
    const name = new URL(url).pathname.slice(1);
    await server.query('CREATE TABLE theirs (id INT)', name);
    expect((await refusal(url)).message).toContain('is a database of another program; svc does not change it.');
  });

  it('is migrated once by processes that start together', async () => {
    const url = await server.createDatabase();
    const stores = await Promise.all([open(url), open(url), open(url)]);
    await stores[0]?.write((tx) => tx.settings.set('a', 'b'));
    expect(await stores[2]?.read.settings.get('a', String)).toBe('b');
    for (const store of stores) await store.close();
  });

  it('with a newer schema is refused, unless that schema still allows this version', async () => {
    const url = await server.createDatabase();
    const name = new URL(url).pathname.slice(1);
    await (await open(url)).close();
    const created = { sql: '', compatibleFrom: FIRST_VERSION };
    const addColumn = (compatibleFrom: number) => ({ sql: 'SELECT 1', compatibleFrom });
    await migrate(url, [created, addColumn(FIRST_VERSION)]);
    await (await open(url)).close();
    await migrate(url, [created, addColumn(FIRST_VERSION), addColumn(FIRST_VERSION + 2)]);
    expect((await refusal(url)).message).toContain(
      `was written by a newer version of svc (schema ${FIRST_VERSION + 2};`,
    );
    expect(await server.query('SELECT version FROM schema_version ORDER BY version', name)).toHaveLength(3);
  });

  it('of a version before the first release is refused with what to do, and left unchanged', async () => {
    const url = await server.createDatabase();
    const name = new URL(url).pathname.slice(1);
    await (await open(url)).close();
    await server.query('UPDATE schema_version SET version = 1, compatible_from = 1', name);
    expect(await refusal(url)).toMatchObject({
      message: expect.stringContaining(
        `was written by an earlier version of svc (schema 1; this version supports ${FIRST_VERSION}).`,
      ),
      advice: 'Create an empty database, and set its URL.',
    });
    expect(await server.query('SELECT version FROM schema_version', name)).toEqual([{ version: expect.anything() }]);
  });

  it('that ends and starts again loses no acknowledged write, and is used again without a restart', async () => {
    const store = await open(await server.createDatabase());
    const acknowledged: string[] = [];
    const failures: unknown[] = [];
    let made = 0;
    async function write(): Promise<void> {
      made += 1;
      const name = `s${made}`;
      await store
        .write((tx) => tx.settings.set(name, 'x'))
        .then(
          () => acknowledged.push(name),
          (error: unknown) => failures.push(error),
        );
    }
    for (let count = 0; count < 5; count += 1) await write();
    expect(failures).toEqual([]);

    const underWay = write();
    await server.kill();
    await underWay;
    while (failures.length === 0) await write();
    await expect(store.read.settings.get('s1', String)).rejects.toBeInstanceOf(StoreUnavailableError);
    await server.start();
    const failed = failures.length;
    for (let count = 0; count < 5; count += 1) await write();
    expect(failures).toHaveLength(failed);

    for (const error of failures) expect(error).toBeInstanceOf(StoreUnavailableError);
    expect((failures[0] as StoreUnavailableError).advice).toBeDefined();
    for (const name of acknowledged) expect(await store.read.settings.get(name, String)).toBe('x');
    await store.close();
  });
});

async function closedPort(): Promise<{ port: number; close(): void }> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  return { port: (probe.address() as { port: number }).port, close: () => probe.close() };
}
