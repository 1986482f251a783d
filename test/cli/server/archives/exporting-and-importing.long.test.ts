import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mountSmallDisk, withoutMounts } from '../../../durability/full-disk.js';
import {
  BINARY,
  type DevServer,
  type Finished,
  start,
  startDev,
  svc,
  temporaryDirectory,
  text,
} from '../../../support/cli/binary.js';
import { openTerminal } from '../../../support/cli/terminal/terminal.js';
import { answers, type ScriptedServer, startScripted } from '../../../support/servers/scripted-server.js';
import { edit } from '../../../support/storage/damage.js';

/** Tests svc dev export and import, as a user types them. */

/** The health of a server with a control API. */
const HEALTHY = answers({ status: 'ok', control: true });

describe('svc dev export and import', () => {
  let directory: ReturnType<typeof temporaryDirectory>;
  const servers: DevServer[] = [];
  let scripted: ScriptedServer | undefined;

  beforeEach(() => {
    directory = temporaryDirectory();
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop();
    await scripted?.close();
    scripted = undefined;
    directory.remove();
  });

  const path = (name: string) => join(directory.path, name);
  const run = (dataDir: string, ...args: string[]) => svc([...args, '--data-dir', path(dataDir)]);

  async function ok(finished: Promise<Finished>): Promise<Finished> {
    const { code, stdout, stderr } = await finished;
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    return { code, stdout, stderr };
  }

  const send = (dataDir: string, subject: string) => {
    const content = ['--from', 'app@example.test', '--subject', subject, '--html', 'x'];
    return ok(run(dataDir, 'emails', 'send', '--to', 'ada@example.test', ...content));
  };

  async function subjects(dataDir: string): Promise<string[]> {
    const { stdout } = await ok(run(dataDir, 'emails', 'list', '--json'));
    return JSON.parse(stdout).emails.map(({ subject }: { subject: string }) => subject);
  }

  async function started(dataDir: string): Promise<DevServer> {
    const server = await startDev(['--data-dir', path(dataDir)]);
    servers.push(server);
    return server;
  }

  it('without a server: write a file that only its owner can read, and that tar and SQLite open', async () => {
    await send('a', 'one');

    const exported = await ok(run('a', 'dev', 'export', path('state.tar.gz')));

    expect(exported.stdout).toBe('');
    expect(exported.stderr).toMatch(/^Wrote [\d.]+ kB: 1 email, 1 API key\.\n$/);
    expect(statSync(path('state.tar.gz')).mode & 0o777).toBe(0o600);
    const members = execFileSync('tar', ['tzf', path('state.tar.gz')], { encoding: 'utf8' });
    expect(members.split('\n')).toEqual(['manifest.json', 'mail.db', '']);

    const imported = await ok(run('b', 'dev', 'import', path('state.tar.gz'), '--yes'));
    expect(imported.stderr).toMatch(
      /^Imported the export of \d{4}-.*: 1 email, 2 API keys\.\n1 API key of the archive is valid on this server\. List .*\n$/,
    );
    expect(await subjects('b')).toEqual(['one']);
    expect(readdirSync(path('b')).sort()).toEqual(['credentials.json', 'mail.db']);
    // Another key than the one of the directory that it came from.
    expect(readFileSync(path('b/credentials.json'), 'utf8')).not.toBe(readFileSync(path('a/credentials.json'), 'utf8'));
  });

  it('work with running servers, through a pipe, and as JSON', async () => {
    await started('a');
    const target = await started('b');
    await send('a', 'one');
    await send('b', 'two');

    const command = (verb: string, dataDir: string) =>
      `"${process.execPath}" "${BINARY}" dev ${verb} - --data-dir "${path(dataDir)}"`;
    const stdout = execFileSync('sh', ['-c', `${command('export', 'a')} | ${command('import', 'b')} --yes --json`], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });

    expect(JSON.parse(stdout)).toMatchObject({ format: 'svc-state', schema_version: expect.any(Number) });
    expect(await subjects('b')).toEqual(['one']);
    // The server's own key is still valid.
    const response = await fetch(`${target.ready.base_url}/emails`, {
      headers: { authorization: `Bearer ${target.ready.api_key}` },
    });
    expect(response.status).toBe(200);
    const written = await ok(run('a', 'dev', 'export', path('state.tar.gz'), '--json'));
    expect(JSON.parse(written.stdout)).toEqual({
      file: path('state.tar.gz'),
      bytes: statSync(path('state.tar.gz')).size,
    });
  });

  it('do not overwrite an existing file unless told to, and follow a link', async () => {
    await send('a', 'one');
    writeFileSync(path('mine'), 'mine');
    symlinkSync(path('mine'), path('link'));

    const refused = await run('a', 'dev', 'export', path('link'));

    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--force') });
    expect(readFileSync(path('mine'), 'utf8')).toBe('mine');
    await ok(run('a', 'dev', 'export', path('link'), '--force'));
    expect(readFileSync(path('mine')).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
    expect(statSync(path('mine')).mode & 0o777).toBe(0o600);
    for (const [target, message] of [
      ['.', 'is a directory'],
      ['/dev/null', 'is not a regular file'],
    ]) {
      const { code, stderr } = await run('a', 'dev', 'export', target ?? '', '--force');
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(message ?? '') });
    }
  });

  it('report that a directory that does not exist, or a path below a file, cannot be written to', async () => {
    await send('a', 'one');
    writeFileSync(path('file'), '');

    for (const name of ['nowhere/state.tar.gz', 'file/state.tar.gz']) {
      const { code, stderr } = await run('a', 'dev', 'export', path(name));
      expect({ name, code, stderr }).toMatchObject({
        name,
        code: 1,
        stderr: expect.stringMatching(/^Error: Cannot (?:read|write)/m),
      });
    }
  });

  it('leave nothing on a full disk', async (context) => {
    const disk = mountSmallDisk();
    if (!disk) return context.skip(withoutMounts);
    try {
      await send('a', 'one');
      mkdirSync(disk.dataDir);
      disk.fill(process.pid);

      const { code, stderr } = await run('a', 'dev', 'export', join(disk.dataDir, 'state.tar.gz'));

      expect({ code, stderr }).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/Cannot write .*: the disk is full/),
      });
      expect(readdirSync(disk.dataDir)).toEqual([]);
    } finally {
      disk.remove();
    }
  });

  it('import nothing into a directory on a full disk', async (context) => {
    const disk = mountSmallDisk();
    if (!disk) return context.skip(withoutMounts);
    try {
      await send('a', 'one');
      await ok(run('a', 'dev', 'export', path('state.tar.gz')));
      const inDisk = (...args: string[]) => svc([...args, '--data-dir', disk.dataDir]);
      await ok(inDisk('templates', 'create', '--name', 'kept', '--subject', 'x', '--html', 'x'));
      const server = await startDev(['--data-dir', disk.dataDir]);
      servers.push(server);
      disk.fill(process.pid);

      const { code, stderr } = await inDisk('dev', 'import', path('state.tar.gz'), '--yes');

      expect({ code, stderr }).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^Error: Cannot (?:read|write)/m),
      });
      disk.free(process.pid);
      const { stdout } = await ok(inDisk('templates', 'list', '--json'));
      expect(JSON.parse(stdout).templates).toMatchObject([{ name: 'kept' }]);
      expect(readdirSync(disk.dataDir).filter((name) => name.startsWith('transfer-'))).toEqual([]);
      await servers.pop()?.stop();
    } finally {
      disk.remove();
    }
  });

  it.each([
    ['closes', (response: ServerResponse) => response.destroy()],
    ['resets', (response: ServerResponse) => response.socket?.resetAndDestroy()],
  ])('leave nothing when the server %s the connection half-way', async (_, disconnect) => {
    scripted = await startScripted([
      HEALTHY,
      (response) => {
        response.writeHead(200, { 'content-type': 'application/gzip' });
        response.write(Buffer.alloc(1000), () => disconnect(response));
      },
    ]);
    const env = { SVC_BASE_URL: scripted.baseUrl, SVC_API_KEY: 'svc_test_x', SVC_DATA_DIR: path('none') };

    const { code, stderr } = await svc(['dev', 'export', path('state.tar.gz')], { env });

    expect({ code, stderr }).toMatchObject({ code: 5, stderr: expect.stringContaining('No answer from') });
    expect(readdirSync(directory.path)).toEqual([]);
  });

  it('report that the connection was reset after its first bytes were passed on', async () => {
    let answering: ServerResponse | undefined;
    scripted = await startScripted([
      HEALTHY,
      (response) => {
        answering = response;
        response.writeHead(200, { 'content-type': 'application/gzip' });
        response.write('first');
      },
    ]);
    const env = { SVC_BASE_URL: scripted.baseUrl, SVC_API_KEY: 'svc_test_x', SVC_DATA_DIR: path('none') };
    const child = start(['dev', 'export', '-'], { env });
    const exited = once(child, 'exit');
    const stderr = text(child.stderr);
    const [firstChunk] = await once(child.stdout!, 'data');

    answering?.socket?.resetAndDestroy();

    expect(String(firstChunk)).toBe('first');
    expect(await exited).toEqual([5, null]);
    expect(await stderr).toMatch(/No answer from .*: connection closed/);
    expect(scripted.asked.filter(({ path: asked }) => asked.endsWith('/export'))).toHaveLength(1);
  });

  it('exit with 130 when interrupted, and leave nothing', async () => {
    scripted = await startScripted([
      HEALTHY,
      (response) => {
        response.writeHead(200, { 'content-type': 'application/gzip' });
        response.write(Buffer.alloc(1000));
      },
    ]);
    const env = { SVC_BASE_URL: scripted.baseUrl, SVC_API_KEY: 'svc_test_x', SVC_DATA_DIR: path('none') };
    const terminal = await openTerminal([process.execPath, BINARY, 'dev', 'export', path('state.tar.gz')], { env });
    try {
      // The line of progress, on a terminal only.
      await terminal.until(/Exporting {2}1\.0 kB/);
      expect(readdirSync(directory.path)).toHaveLength(1);
      await terminal.signal('SIGINT');
      const screen = await terminal.until(/ended with 130/);
      expect(screen).not.toContain('Exporting');
      expect(readdirSync(directory.path)).toEqual([]);
    } finally {
      await terminal.close();
    }
  });

  describe('with damaged rows in the archive', () => {
    const NOTICE = '1 damaged row set aside.';

    beforeEach(async () => {
      await ok(run('a', 'templates', 'create', '--name', 'bad', '--subject', 'x', '--html', 'x'));
      edit(path('a/mail.db'), 'UPDATE templates SET created_at = -1');
      await ok(run('a', 'dev', 'export', path('state.tar.gz')));
    });

    it('`advises to check the data directory of the server that --base-url names`', async () => {
      const { ready } = await started('b');
      const server = ['--base-url', ready.base_url, '--api-key', ready.api_key];

      const { stderr } = await ok(
        svc(['dev', 'import', path('state.tar.gz'), '--yes', ...server], { env: { SVC_DATA_DIR: path('other') } }),
      );

      expect(stderr).toContain(`${NOTICE} List them with "svc doctor --data-dir ${path('b')}".\n`);
      const doctor = await svc(['doctor', '--data-dir', path('b')]);
      expect(doctor.stdout).toContain('1 damaged row: templates ');
    });

    it('`gives no advice for a server in memory, which svc doctor cannot check`', async () => {
      servers.push(await startDev(['--in-memory'], { env: { SVC_DATA_DIR: path('b') } }));

      const { stderr } = await ok(run('b', 'dev', 'import', path('state.tar.gz'), '--yes'));

      expect(stderr).toContain(`${NOTICE}\n`);
      expect(stderr).not.toContain('svc doctor');
    });
  });

  it('ask before everything is replaced, on a terminal; elsewhere require --yes', async () => {
    await send('a', 'one');
    await send('b', 'two');
    await ok(run('a', 'dev', 'export', path('state.tar.gz')));

    const refused = await run('b', 'dev', 'import', path('state.tar.gz'));
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });

    for (const [answer, left, code] of [
      ['n', 'two', 1],
      ['y', 'one', 0],
    ] as const) {
      const command = [process.execPath, BINARY, 'dev', 'import', path('state.tar.gz'), '--data-dir', path('b')];
      const terminal = await openTerminal(command);
      try {
        await terminal.until(/Replace all data in the data directory\? \[y\/N\]/);
        terminal.press(answer);
        terminal.press('Enter');
        await terminal.until(new RegExp(`ended with ${code}`));
      } finally {
        await terminal.close();
      }
      expect(await subjects('b')).toEqual([left]);
    }
  });

  it('write no archive to a terminal, and read none from one', async () => {
    for (const verb of ['export', 'import']) {
      const terminal = await openTerminal([process.execPath, BINARY, 'dev', verb, '-', '--data-dir', path('a')]);
      try {
        expect(await terminal.until(/ended with 2/)).toMatch(/terminal/);
      } finally {
        await terminal.close();
      }
    }
    expect(existsSync(path('a'))).toBe(false);
  });

  it('name the flag that allows a larger archive, not the parameter', async () => {
    await send('a', 'one');
    await ok(run('a', 'dev', 'export', path('state.tar.gz')));

    const { code, stderr } = await run('a', 'dev', 'import', path('state.tar.gz'), '--yes', '--max-size', '1KiB');

    expect(code).toBe(1);
    expect(stderr).toContain('Raise the limit with --max-size.');
    expect(stderr).not.toContain('max_bytes');
  });

  it('refuse a missing file, a directory, and a file that svc did not write, and change nothing', async () => {
    await send('a', 'one');
    writeFileSync(path('other'), 'other');

    for (const [name, message, expected] of [
      ['nothing.tar.gz', /not found/, 2],
      ['.', /is a directory/, 2],
      ['other', /not an svc archive/, 1],
    ] as const) {
      const { code, stderr } = await run('a', 'dev', 'import', path(name), '--yes');
      expect({ code, stderr }).toEqual({ code: expected, stderr: expect.stringMatching(message) });
      expect(await subjects('a')).toEqual(['one']);
    }
  });
});
