import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeEach, describe, expect, it } from 'vitest';
import { type DevServer, start, startDev, svc, text } from '../../support/cli/binary.js';
import { folderOfEachTest } from '../../support/each-test.js';

/** Tests that a data directory has one server at a time, which other commands find as long as it runs. */

const FREE_PORTS = ['--http-port', '0', '--smtp-port', '0'];

describe('servers started on one data directory', () => {
  const folder = folderOfEachTest();

  const run = (...args: string[]) => svc([...args, '--data-dir', folder.path]);

  it('at the same time: one runs, the others report where', async () => {
    const children = Array.from({ length: 3 }, () =>
      start(['dev', ...FREE_PORTS, '--json', '--data-dir', join(folder.path, 'new')]),
    );
    const errors = children.map(({ stderr }) => text(stderr));
    const lines = children.map(({ stdout }) => createInterface({ input: stdout! })[Symbol.asyncIterator]().next());
    const [first] = (await Promise.all(lines))
      .filter(({ done }) => !done)
      .map(({ value }) => JSON.parse(value as string));

    for (const [index, child] of children.entries()) {
      if (child.pid === first.pid) continue;
      const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode];
      expect(code).toBe(1);
      expect(await errors[index]).toContain(
        `A server is already running on this data directory: ${first.base_url} (pid ${first.pid}).`,
      );
    }

    const { code, stdout } = await svc(['dev', 'stop', '--json', '--data-dir', join(folder.path, 'new')]);
    expect({ code, pid: JSON.parse(stdout).pid }).toEqual({ code: 0, pid: first.pid });
  });

  it('are refused while webhooks listen runs, which is a server itself', async () => {
    const listen = start([
      'webhooks',
      'listen',
      '--json',
      '--forward-to',
      'http://127.0.0.1:9/',
      '--data-dir',
      folder.path,
    ]);
    await createInterface({ input: listen.stdout! })[Symbol.asyncIterator]().next();

    const { code, stderr } = await run('dev', ...FREE_PORTS);

    const exited = once(listen, 'exit');
    listen.kill('SIGTERM');
    await exited;
    expect(code).toBe(1);
    expect(stderr).toContain(`(pid ${listen.pid})`);
  });

  it('run while a command works on the database itself', async () => {
    const watching = start(['emails', 'list', '--watch', '--data-dir', folder.path]);
    await createInterface({ input: watching.stderr! })[Symbol.asyncIterator]().next();

    await folder.startServer();

    expect(existsSync(join(folder.path, 'server.json'))).toBe(true);
    const exited = once(watching, 'exit');
    watching.kill('SIGTERM');
    await exited;
    expect((await run('dev', 'status')).code).toBe(0);
  });
});

describe('a running server that does not answer', () => {
  const folder = folderOfEachTest();
  let dev: DevServer;

  beforeEach(async () => {
    dev = await folder.startServer();
    dev.child.kill('SIGSTOP');
  });

  const run = (...args: string[]) => svc([...args, '--data-dir', folder.path]);

  it('is not treated as one that has ended', async () => {
    const silent = `pid ${dev.ready.pid} is running but does not answer`;

    const [status, env, send, second, doctor] = await Promise.all([
      run('dev', 'status'),
      run('dev', 'env', '--json'),
      run('emails', 'send', '--to', 'ada@example.test'),
      run('dev', ...FREE_PORTS),
      run('doctor'),
    ]);

    for (const { code, stdout, stderr } of [status, env, send]) {
      expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
      expect(stderr).toContain(silent);
      expect(stderr).toContain(`kill -CONT ${dev.ready.pid}`);
      expect(stderr).not.toContain('--base-url');
    }
    expect(second.code).toBe(1);
    expect(second.stderr).toContain(`A server is already running on this data directory: ${dev.ready.base_url}`);
    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toContain(silent);
    const stop = `stop it with "svc dev stop --data-dir ${folder.path}"`;
    for (const printed of [second.stderr, doctor.stdout]) expect(printed).toContain(stop);

    // The server did not change, and commands still find it.
    dev.child.kill('SIGCONT');
    const { code, stdout } = await run('dev', 'status', '--json');
    expect({ code, status: JSON.parse(stdout) }).toMatchObject({ code: 0, status: { counts: { emails: 0 } } });
  });

  it('does not keep a command from another server', async () => {
    const other = await startDev(['--in-memory']);
    const { base_url, api_key } = other.ready;

    const { code } = await run('emails', 'list', '--base-url', base_url, '--api-key', api_key);

    await other.stop();
    expect(code).toBe(0);
  });

  it('is stopped by dev stop', async () => {
    const exited = once(dev.child, 'exit');

    expect((await run('dev', 'stop')).code).toBe(0);

    expect(await exited).toEqual([0, null]);
  });
});
