import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT, temporaryDirectory } from '../../support/cli/binary.js';
import { commandBlocks } from '../../support/cli/doc-blocks.js';
import { ADMIN_KEY, startServe, type TeamServer } from '../../support/cli/serve.js';
import { runInShell } from '../../support/cli/shell-runs.js';
import { type PostgresServer, startPostgres, withoutPostgres } from '../../support/postgres.js';

/** Runs the commands of docs/team.md. */

const directory = temporaryDirectory();
let postgres: PostgresServer;

beforeAll(async () => {
  if (withoutPostgres === '') postgres = await startPostgres();
});
afterAll(async () => {
  await postgres?.remove();
  directory.remove();
});

/** Returns the block that runs a program after its first line. */
function documented(program: string): string {
  const blocks = commandBlocks('team.md', readFileSync(join(ROOT, 'docs/team.md'), 'utf8'));
  const found = blocks.filter(({ commands }) => commands.includes(`\n${program} `));
  expect(found).toHaveLength(1);
  return found[0]?.commands ?? '';
}

async function call({ ready }: TeamServer, path: string, body?: object) {
  const headers = { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' };
  const response = await fetch(new URL(path, ready.base_url), {
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    headers,
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever is answered
  return ((await response.json()) as { data: any }).data;
}

const send = (server: TeamServer, subject: string) =>
  call(server, '/v1/emails', { to: 'ada@x.test', from: 'app@x.test', subject, html: `<p>${subject}</p>` });

/** Returns the URL of a database that a user without other rights owns. */
async function databaseOfTeam(beforehand = ''): Promise<string> {
  const name = new URL(await postgres.createDatabase()).pathname.slice(1);
  await postgres.query(`ALTER DATABASE ${name} OWNER TO team`);
  await postgres.query(`ALTER SCHEMA public OWNER TO team; ${beforehand}`, name);
  return postgres.url(name, { user: 'team', password: 'team' });
}

/** What a client can count and read. */
async function stateOf(server: TeamServer, id: string) {
  const { emails, pagination } = await call(server, '/v1/emails?limit=100');
  const subjects = emails.map(({ subject }: { subject: string }) => subject);
  const info = await call(server, '/_svc/info');
  const email = await call(server, `/v1/emails/${id}`);
  return { subjects, total: pagination.total, events: info.last_event, email };
}

it(`backs a database up while it is used, and restores it${withoutPostgres}`, async (context) => {
  if (withoutPostgres) return context.skip();
  await postgres.query("CREATE ROLE team LOGIN PASSWORD 'team'");
  // An extension that an administrator created cannot be replaced by the owner of the database.
  const database = await databaseOfTeam('CREATE EXTENSION pg_trgm');
  const env = { SVC_DATABASE_URL: database };
  const shell = (commands: string) => runInShell('sh', `set -e\n${commands}`, { cwd: directory.path, env });
  const first = await startServe(['--delivery-delay', '0'], { env });
  let id = '';
  for (let count = 0; count < 20; count += 1) ({ id } = await send(first, `before ${count}`));
  await call(first, '/_svc/settle', {});
  const before = await stateOf(first, id);
  expect(before.total).toBe(20);

  const backedUp = await shell(documented('pg_dump'));
  expect(backedUp.code, backedUp.output).toBe(0);
  expect(statSync(join(directory.path, 'svc.dump')).mode & 0o777).toBe(0o600);
  await send(first, 'after');
  expect(await first.stop()).toBe(0);
  const restored = await shell(documented('pg_restore'));
  expect(restored.code, restored.output).toBe(0);

  const second = await startServe([], { env });
  expect(await stateOf(second, id)).toEqual(before);
  await send(second, 'next');
  expect((await call(second, '/v1/emails?limit=1')).pagination.total).toBe(21);
  expect(await second.stop()).toBe(0);

  const copy = { SVC_DATABASE_URL: await databaseOfTeam() };
  const copied = await runInShell('sh', `set -e\n${documented('pg_restore')}`, { cwd: directory.path, env: copy });
  expect(copied.code, copied.output).toBe(0);
  const third = await startServe([], { env: copy });
  expect(await stateOf(third, id)).toEqual(before);
  expect(await third.stop()).toBe(0);
});
