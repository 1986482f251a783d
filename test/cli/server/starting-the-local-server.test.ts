import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BINARY, startDev, svc, temporaryDirectory } from '../../support/cli/binary.js';
import { runTool } from '../../support/cli/tools.js';
import { request } from '../../support/servers/server-calls.js';

describe('svc dev', () => {
  let folder: ReturnType<typeof temporaryDirectory>;

  beforeEach(() => {
    folder = temporaryDirectory();
  });

  afterEach(() => folder.remove());

  it('reports in one line of JSON where it is, and then prints events', async () => {
    const directory = join(folder.path, 'new', 'data');
    const dev = await startDev(['--data-dir', directory]);

    const { base_url, smtp, api_key, webhook_secret, pid } = dev.ready;
    const { origin } = new URL(base_url);
    expect(dev.ready).toEqual({
      event: 'ready',
      inbox_url: expect.stringContaining(`${origin}/inbox`),
      base_url,
      smtp,
      api_key,
      webhook_secret,
      pid,
      data_dir: directory,
    });
    expect(base_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
    expect(smtp).toEqual({ host: '127.0.0.1', port: expect.any(Number) });
    expect(api_key).toMatch(/^svc_test_\w{20,}$/);
    expect(webhook_secret).toMatch(/^whsec_\w{20,}$/);
    expect(pid).toBe(dev.child.pid);
    expect(JSON.parse(readFileSync(join(directory, 'server.json'), 'utf8'))).toMatchObject({ pid, base_url, api_key });
    expect(statSync(join(directory, 'server.json')).mode & 0o777).toBe(0o600);

    await svc(['emails', 'send', '--to', 'delivered@simulator.test', '--data-dir', directory]);
    const types: string[] = [];
    while (types.length < 2) types.push(JSON.parse((await dev.lines.next()).value).type);
    expect(types).toEqual(['email.sent', 'email.delivered']);
    expect(await dev.stop()).toBe(0);
  });

  it('prints everything that a person needs to continue, whatever profile is in use', async () => {
    const dev = await startDev(['--data-dir', folder.path]);
    const { api_key, webhook_secret } = dev.ready;
    await dev.stop();

    const staging = { base_url: 'http://127.0.0.1:1/v1', api_key: 'svc_test_x' };
    writeFileSync(join(folder.path, 'profiles.json'), JSON.stringify({ current: 'staging', profiles: { staging } }));

    const { stdout, code } = await untilText(
      ['--http-port', '0', '--smtp-port', '0', '--host', '0.0.0.0', '--data-dir', folder.path],
      'Ctrl-C',
      { SVC_CONFIG_DIR: folder.path },
    );

    expect(code).toBe(0);
    for (const part of [
      /http:\/\/127\.0\.0\.1:\d+\/v1/,
      /SMTP +127\.0\.0\.1:\d+/,
      /Ctrl-C/,
      /^Commands use http:\/\/127\.0\.0\.1:1\/v1 by default, because of profile staging \(svc profiles use\)\.$/m,
      /svc emails send --to \S+ --data-dir \S+ --profile local$/m,
      /svc webhooks listen .* --profile local$/m,
    ])
      expect(stdout).toMatch(part);
    // The key is created once and stays, so that settings of applications keep working.
    expect(stdout).toContain(api_key);
    expect(stdout).toContain(webhook_secret);
    expect(stdout).toContain(folder.path);
  });

  it('accepts the key that it is given', async () => {
    const dev = await startDev(['--in-memory', '--api-key', 'svc_test_pinned']);

    expect(dev.ready).toMatchObject({ api_key: 'svc_test_pinned', data_dir: null });
    expect((await request(dev.ready, '/v1/emails')).status).toBe(200);
    expect(await dev.stop()).toBe(0);
  });

  it.each(['pinned', 'svc_test_', 'svc_prod_x', 'svc_test_a b'])('refuses the key %j', async (key) => {
    const { code, stdout, stderr } = await svc(['dev', '--in-memory', '--api-key', key]);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/--api-key must be svc_test_ or svc_live_/);
    // A secret of the command line does not appear on the screen or in a log.
    if (key === 'svc_prod_x') expect(stderr).not.toContain(key);
  });

  it.each(['--http-port', '--smtp-port'])(
    'names the port of %s that is in use, the process that uses it, and the flag',
    async (flag) => {
      const { server, port } = await occupy();
      const other = flag === '--http-port' ? '--smtp-port' : '--http-port';

      const { code, stdout, stderr } = await svc(['dev', flag, String(port), other, '0', '--data-dir', folder.path]);

      server.close();
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(`Port ${port} is already in use`);
      // The process can be identified where /proc exists.
      if (existsSync('/proc/net/tcp')) expect(stderr).toContain(`(pid ${process.pid})`);
      expect(stderr).toContain(flag);
      expect(existsSync(join(folder.path, 'server.json'))).toBe(false);
    },
  );

  it.each([
    ['9100', ['--http-port', '9100', '--smtp-port', '9100']],
    ['1025', ['--http-port', '1025']],
  ])('refuses one port for both, %s, before anything is created', async (port, ports) => {
    const directory = join(folder.path, 'never');

    const { code, stdout, stderr } = await svc(['dev', ...ports, '--data-dir', directory]);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`Error: --http-port and --smtp-port must differ; both are ${port}.\n`);
    expect(existsSync(directory)).toBe(false);
  });

  it('refuses a second server on one data directory, and reports where the first is', async () => {
    const dev = await startDev(['--data-dir', folder.path]);

    const second = await svc(['dev', '--http-port', '0', '--smtp-port', '0', '--data-dir', folder.path]);

    expect({ code: second.code, stdout: second.stdout }).toEqual({ code: 1, stdout: '' });
    expect(second.stderr).toContain(dev.ready.base_url);
    expect(second.stderr).toContain(`(pid ${dev.ready.pid})`);
    expect(existsSync(join(folder.path, 'server.json'))).toBe(true);
    expect(await dev.stop()).toBe(0);
  });

  it('takes over from a server that was killed', async () => {
    const killed = await startDev(['--data-dir', folder.path]);
    await killed.stop('SIGKILL');
    expect(existsSync(join(folder.path, 'server.json'))).toBe(true);

    const dev = await startDev(['--data-dir', folder.path]);

    expect(readServer().pid).toBe(dev.ready.pid);
    expect(await dev.stop()).toBe(0);
  });

  it('is not blocked by a server.json whose process id another program has now', async () => {
    const stale = { pid: process.pid, instance: 'gone', base_url: 'http://127.0.0.1:1/v1', api_key: 'svc_test_gone' };
    writeFileSync(join(folder.path, 'server.json'), JSON.stringify(stale));

    const dev = await startDev(['--data-dir', folder.path]);

    expect(readServer().pid).toBe(dev.ready.pid);
    expect(await dev.stop()).toBe(0);
  });

  it.each([
    ['a file is in its place', (path: string) => writeFileSync(path, 'mine'), (path: string) => path],
    [
      'it is below a file',
      (path: string) => writeFileSync(path, 'mine'),
      (path: string) => join(path, 'deeper', 'still'),
    ],
    ['the file system accepts no files', () => {}, () => '/proc/svc-data'],
  ])('reports that a data directory cannot be used: %s', async (_, prepare, directoryOf) => {
    const path = join(folder.path, 'place');
    prepare(path);
    const directory = directoryOf(path);

    for (const command of [
      ['dev', '--http-port', '0', '--smtp-port', '0'],
      ['emails', 'list'],
    ]) {
      const { code, stdout, stderr } = await svc([...command, '--data-dir', directory]);

      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^Error: The data directory .* cannot be (?:created|written|used: it is a file)/);
      expect(stderr).toContain('--data-dir');
      expect(stderr).not.toMatch(/^\s+at /m);
    }
    if (existsSync(path)) expect(readFileSync(path, 'utf8')).toBe('mine');
  });

  it('does not change a database of another program', async () => {
    const file = join(folder.path, 'mail.db');
    const sql = "create table notes(text); insert into notes values('mine');";
    await runTool('python3', [
      '-c',
      'import sqlite3,sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])',
      file,
      sql,
    ]);

    await expectUnchanged(file, /is a database of another program/);
  });

  it('does not change a file that is not a database', async () => {
    const file = join(folder.path, 'mail.db');
    writeFileSync(file, 'This is a letter of mine, and no database at all. '.repeat(200));

    await expectUnchanged(file, /is not an SQLite database/);
  });

  it.each([
    ['0.0.0.0', true],
    ['127.0.0.1', false],
  ])('reports whether other machines can connect on %s', async (host, isOpen) => {
    const args = ['--http-port', '0', '--smtp-port', '0', '--host', host, '--data-dir', folder.path];
    const { stdout } = await untilText(args, 'Press Ctrl-C');

    expect(stdout.includes(`listens on ${host}: other machines can connect`)).toBe(isOpen);
  });

  it('leaves credentials of another program, and suggests another data directory', async () => {
    const file = join(folder.path, 'credentials.json');
    writeFileSync(file, '{"installed":{"client_id":"1.apps.example.test"}}');

    await expectUnchanged(file, /does not contain valid credentials of svc/);

    const { stderr } = await svc(['emails', 'send', '--to', 'a@example.test', '--data-dir', folder.path]);
    expect(stderr).toContain('choose another data directory with --data-dir');
  });

  it('reports a directory in place of the database', async () => {
    mkdirSync(join(folder.path, 'mail.db'));

    const { code, stderr } = await svc(['dev', '--http-port', '0', '--smtp-port', '0', '--data-dir', folder.path]);

    expect(code).toBe(1);
    expect(stderr).toMatch(/mail\.db cannot be used: it is a directory/);
  });

  it('reports a directory in place of server.json', async () => {
    mkdirSync(join(folder.path, 'server.json'));

    const { code, stderr } = await svc(['dev', '--http-port', '0', '--smtp-port', '0', '--data-dir', folder.path]);

    expect(code).toBe(1);
    expect(stderr).toContain(`The data directory ${folder.path} cannot be written`);
  });

  it.skipIf(process.platform !== 'linux')(
    'reports a data directory that the system does not let anyone create',
    async () => {
      const { code, stderr } = await svc(['dev', '--http-port', '0', '--smtp-port', '0', '--data-dir', '/proc/x/y']);

      expect(code).toBe(1);
      expect(stderr).toContain(
        'The data directory /proc/x/y cannot be created: /proc does not allow new directories.\n',
      );
    },
  );

  async function expectUnchanged(file: string, reason: RegExp): Promise<void> {
    const before = sha256(file);
    for (const command of [
      ['dev', '--http-port', '0', '--smtp-port', '0'],
      ['emails', 'send', '--to', 'a@example.test'],
    ]) {
      const { code, stdout, stderr } = await svc([...command, '--data-dir', folder.path, '--json']);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      const { error } = JSON.parse(stderr);
      expect(error).toMatchObject({ code: 'command_failed', message: expect.stringMatching(reason) });
      expect(error.message).toContain(file);
    }
    expect(sha256(file)).toBe(before);
    expect(readdirSync(folder.path)).toEqual([basename(file)]);
  }

  function readServer(): { pid: number } {
    return JSON.parse(readFileSync(join(folder.path, 'server.json'), 'utf8'));
  }
});

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

async function occupy(): Promise<{ server: Server; port: number }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as { port: number }).port };
}

/** Runs `svc dev` until its output contains a text, then interrupts it. */
async function untilText(
  args: string[],
  wanted: string,
  env: Record<string, string> = {},
): Promise<{ code: number | null; stdout: string }> {
  const child = spawn(process.execPath, [BINARY, 'dev', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
    if (stdout.includes(wanted)) child.kill('SIGINT');
  });
  const [code] = await once(child, 'close');
  return { code, stdout };
}
