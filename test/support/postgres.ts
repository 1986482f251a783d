import { execFile, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { skippedWithout } from './cli/tools.js';

/** Runs a PostgreSQL server in a temporary directory, with an empty database for each test. */

const USER = 'svc';
/** Together a minute: a server recovers after a crash before it accepts connections. */
const START_ATTEMPTS = 600;
const START_PAUSE_MS = 100;
const run = promisify(execFile);

/** Returns the directory with PostgreSQL's programs; undefined where it is not installed. */
function postgresPrograms(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

/** The reason to skip a test, to be added to its title; empty where PostgreSQL is installed. */
export const withoutPostgres = skippedWithout('PostgreSQL', postgresPrograms() !== undefined);

export interface PostgresServer {
  readonly host: string;
  readonly port: number;
  readonly password: string;
  /** Creates a database, which is empty or a copy of another, and returns its URL. */
  createDatabase(template?: string): Promise<string>;
  /** Returns the URL of a database, with other parts if they are given. */
  url(database: string, over?: { user?: string; password?: string; port?: number }): string;
  /** Runs a statement as the server's administrator. */
  query(sql: string, database?: string): Promise<Record<string, unknown>[]>;
  /** Ends the server at once, as a crash does. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Ends the server and deletes its data. */
  remove(): Promise<void>;
}

/** PostgreSQL refuses to run as root. */
function asOther(program: string, args: string[]): [string, string[]] {
  if (process.getuid?.() !== 0) return [program, args];
  return ['setpriv', ['--reuid=postgres', '--regid=postgres', '--clear-groups', program, ...args]];
}

export async function startPostgres({
  durable = false,
  checksPasswords = true,
  settings: given = [],
}: {
  /** Flushes commits to disk. */
  durable?: boolean;
  /** Whether a connection needs a password. Checking it takes as long as the rest of the connection. */
  checksPasswords?: boolean;
  /** More settings of the server, such as `shared_buffers=256MB`. */
  settings?: readonly string[];
} = {}): Promise<PostgresServer> {
  const programs = postgresPrograms();
  if (!programs) throw new Error('PostgreSQL is not installed.');
  const folder = mkdtempSync(join(tmpdir(), 'svc-postgres-'));
  const password = randomBytes(9).toString('base64url');
  const data = join(folder, 'data');
  const secret = join(folder, 'password');
  writeFileSync(secret, password);
  if (process.getuid?.() === 0) execFileSync('chown', ['-R', 'postgres:postgres', folder]);
  const auth = `--auth=${checksPasswords ? 'scram-sha-256' : 'trust'}`;
  const options = ['--encoding=UTF8', '--locale=C.UTF-8', auth, '--no-sync', `--pwfile=${secret}`];
  const [program, args] = asOther(join(programs, 'initdb'), ['-D', data, '-U', USER, ...options]);
  await run(program, args, { cwd: folder });
  const port = await freePort();
  let server: ReturnType<typeof spawn> | undefined;

  const url: PostgresServer['url'] = (database, over = {}) =>
    `postgres://${over.user ?? USER}:${over.password ?? password}@127.0.0.1:${over.port ?? port}/${database}`;

  const query: PostgresServer['query'] = (sql, database = 'postgres') => runIn(url(database), sql);

  async function start(): Promise<void> {
    const flush = durable ? 'on' : 'off';
    const settings = ['listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, `fsync=${flush}`];
    const more = ['max_connections=200', 'shared_buffers=32MB', 'log_min_messages=fatal', `full_page_writes=${flush}`];
    const flags = [...settings, ...more, ...given].flatMap((setting) => ['-c', setting]);
    const [command, commandArgs] = asOther(join(programs ?? '', 'postgres'), [
      '-D',
      data,
      '-p',
      String(port),
      ...flags,
    ]);
    server = spawn(command, commandArgs, { cwd: folder, stdio: 'ignore' });
    for (let attempt = 1; ; attempt += 1) {
      try {
        await query('SELECT 1');
        return;
      } catch (error) {
        if (attempt === START_ATTEMPTS || server.exitCode !== null) throw error;
        await new Promise((resolve) => setTimeout(resolve, START_PAUSE_MS));
      }
    }
  }

  async function stop(signal: 'SIGQUIT' | 'SIGKILL'): Promise<void> {
    const running = server;
    server = undefined;
    if (!running || running.exitCode !== null) return;
    const exited = new Promise((resolve) => running.once('exit', resolve));
    running.kill(signal);
    await exited;
  }

  await start();
  let made = 0;
  return {
    ...{ host: '127.0.0.1', port, password, url, query, start },
    async createDatabase(template = 'template0') {
      made += 1;
      const name = `test_${made}`;
      await query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
      return url(name);
    },
    kill: () => stop('SIGQUIT'),
    async remove() {
      await stop('SIGQUIT');
      // A server has thousands of files. A test runner that waits too long for a blocked process reports an error.
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Makes the database of a connection like one that is new. To create one takes ten times as long. */
export async function emptyDatabase(client: Client): Promise<void> {
  await client.query(
    `DO $$ DECLARE name TEXT; BEGIN
       FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_version' LOOP
         -- To truncate takes longer, but rows that were deleted would slow down later reads of a large table.
         EXECUTE format(CASE WHEN pg_table_size(name::regclass) > 100000 THEN 'TRUNCATE %I' ELSE 'DELETE FROM %I' END, name);
       END LOOP;
     END $$;
     INSERT INTO ledger DEFAULT VALUES;
     SELECT setval(sequencename::regclass, 1, false) FROM pg_sequences WHERE last_value IS NOT NULL`,
  );
}

/** Runs statements in the database of a URL. */
export async function runIn(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query(sql)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
