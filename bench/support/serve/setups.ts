import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import Database from 'better-sqlite3';
import { type PostgresServer, startPostgres } from '../../../test/support/postgres.js';
import { cpuOf } from '../servers.js';

/** Starts replicas on SQLite or PostgreSQL, each in a process of its own. */

export const API_KEY = 'svc_test_bench0000000000000000000';
const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' };

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill();
});

interface Replica {
  httpPort: number;
  smtpPort: number;
  child: ChildProcess;
}

/** Replicas on one database. */
export interface Setup {
  name: string;
  replicas: Replica[];
  /** The name of the database on PostgreSQL. */
  database: string;
  /** Returns the processor time spent so far, in microseconds. */
  cpu(): { servers: number; database: number };
  /** Returns the rows of a query on the database. */
  query(sql: string): Promise<Record<string, unknown>[]>;
  /** Returns the size of the database in bytes, with its log. */
  size(): Promise<number>;
  /** Waits until all accepted emails are parsed, delivered and indexed. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts PostgreSQL with the memory of a small server. Commits are flushed to disk. */
export function startCluster(settings: readonly string[] = []): Promise<PostgresServer> {
  return startPostgres({ durable: true, settings: ['shared_buffers=256MB', 'max_wal_size=4GB', ...settings] });
}

export async function onSqlite(root: string, keep?: number): Promise<Setup> {
  const directory = mkdtempSync(join(process.env.SVC_BENCH_DIR ?? tmpdir(), 'svc-bench-'));
  const file = join(directory, 'mail.db');
  const replica = await startReplica(root, file, 'local', keep);
  const db = new Database(file, { readonly: true });
  return setupOf({
    ...{ name: 'SQLite', replicas: [replica], database: '', databaseCpu: () => 0 },
    query: async (sql) => db.prepare(sql).all() as Record<string, unknown>[],
    size: async () => sum(readdirSync(directory).map((name) => statSync(join(directory, name)).size)),
    stop() {
      db.close();
      rmSync(directory, { recursive: true, force: true });
    },
  });
}

export async function onPostgres(
  root: string,
  cluster: PostgresServer,
  count: number,
  {
    access = 'local',
    keep,
    port = cluster.port,
  }: {
    access?: 'local' | 'team';
    keep?: number;
    /** The port at which the replicas reach the database. */
    port?: number;
  } = {},
): Promise<Setup> {
  const database = (await cluster.createDatabase()).split('/').pop() ?? '';
  const url = cluster.url(database, { port });
  const replicas = [await startReplica(root, url, access, keep)];
  while (replicas.length < count) replicas.push(await startReplica(root, url, access, keep));
  const [row] = await cluster.query("SELECT split_part(pg_read_file('postmaster.pid'), chr(10), 1)::int AS pid");
  const pid = row?.pid as number;
  return setupOf({
    name: `PostgreSQL, ${count} ${count === 1 ? 'replica' : 'replicas'}`,
    replicas,
    database,
    databaseCpu: () => cpuOfGroup(pid),
    query: (sql) => cluster.query(sql, database),
    async size() {
      const [found] = await cluster.query(`SELECT pg_database_size('${database}') AS bytes`);
      return Number(found?.bytes);
    },
    stop: () => {},
  });
}

function setupOf({
  name,
  replicas,
  database,
  databaseCpu,
  stop,
  ...rest
}: Pick<Setup, 'name' | 'replicas' | 'database' | 'query' | 'size'> & { databaseCpu(): number; stop(): void }): Setup {
  return {
    ...rest,
    name,
    replicas,
    database,
    cpu: () => ({ servers: sum(replicas.map(({ child }) => cpuOf(child))), database: databaseCpu() }),
    async settled() {
      // A search waits until everything is parsed and indexed.
      for (const { httpPort } of replicas) {
        for (;;) {
          const { total } = (await call(httpPort, 'GET', '/v1/emails?status=sent&limit=1')).pagination;
          if (total === 0) break;
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      }
      await call(replicas[0]?.httpPort ?? 0, 'GET', '/_svc/emails?search=nothing&limit=1');
    },
    async stop() {
      await Promise.all(
        replicas.map(async ({ child }) => {
          const exited = once(child, 'exit');
          child.kill('SIGTERM');
          await exited;
        }),
      );
      stop();
    },
  };
}

/** Calls a replica, and returns the data of its answer. */
// biome-ignore lint/suspicious/noExplicitAny: benchmarks read whatever the wire carries
export async function call(port: number, method: string, path: string, body?: unknown): Promise<any> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  const answer = (await response.json()) as { data?: unknown };
  return answer.data ?? answer;
}

async function startReplica(root: string, storage: string, access = 'local', keep?: number): Promise<Replica> {
  const options = (process.env.SVC_BENCH_NODE_OPTIONS ?? '').split(' ').filter(Boolean);
  const own = [storage, API_KEY, access, ...(keep === undefined ? [] : [String(keep)])];
  const child = spawn(process.execPath, [...options, join(root, 'bench/run.js'), 'replica', ...own], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const lines = createInterface({ input: child.stdout });
  const [line] = await Promise.race([
    once(lines, 'line'),
    once(child, 'exit').then(() => Promise.reject(new Error('A replica did not start.'))),
  ]);
  return { ...(JSON.parse(line as string) as Omit<Replica, 'child'>), child };
}

/** Returns the processor time of a process, of its children, and of those that have ended, in microseconds. */
function cpuOfGroup(pid: number): number {
  let total = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').pop()?.split(' ') ?? [];
      const isServer = Number(name) === pid;
      if (isServer || Number(fields[1]) === pid) total += sum(fields.slice(11, isServer ? 15 : 13).map(Number));
    } catch {
      // The process has ended; its parent has its time.
    }
  }
  return total * 10_000;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
