import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { otherServers, registerServer } from '../../../src/cli/data-dir/registry.js';
import { identityOf } from '../../../src/cli/process/process-identity.js';
import { otherServerNotice } from '../../../src/cli/target/running-server.js';
import { svc } from '../../support/cli/binary.js';
import { folderOfEachTest } from '../../support/each-test.js';

/** Tests that commands on a data directory without a server name a server that runs on another one. */

describe('a command while a server is running on another data directory', () => {
  const folder = folderOfEachTest();
  let elsewhere: string;
  let here: string;

  beforeEach(() => {
    elsewhere = join(folder.path, "it's elsewhere");
    here = join(folder.path, 'here');
    mkdirSync(here);
  });

  const run = (...args: string[]) => svc(args, { env: { SVC_DATA_DIR: here } });

  it('names its own data directory and how to reach the other, until that server has ended', async () => {
    const dev = await folder.startServer(['--data-dir', elsewhere]);

    const list = await run('emails', 'list');
    const json = await run('emails', 'list', '--json');
    const named = await run('emails', 'list', '--data-dir', here);
    const status = await run('dev', 'status');
    const byAddress = await svc(['emails', 'list'], { env: { SVC_DATA_DIR: here, SVC_BASE_URL: dev.ready.base_url } });

    const flag = `--data-dir '${elsewhere.replace("'", "'\\''")}'`;
    const advice = `To use the server at ${dev.ready.base_url}, add ${flag}.`;
    expect(list.stderr).toBe(
      `Using the data directory ${here}, without a server. ${advice}\n` +
        'No emails. Send one with: svc emails send --to delivered@simulator.test\n',
    );
    expect(json.stderr).toBe('');
    expect(byAddress).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`It is the local server of ${elsewhere}: add ${flag}.`),
    });
    expect(named.stderr).not.toContain(dev.ready.base_url);
    expect(status.stderr).toContain(`Start it with "svc dev". ${advice}`);
    await dev.stop('SIGKILL');
    expect((await run('emails', 'list')).stderr).not.toContain(advice);
  });
});

describe('a command without a data directory of its own, while a server is running', () => {
  const folder = folderOfEachTest();
  const send = ['emails', 'send', '--to', 'delivered@simulator.test', '--json'];

  it('does not choose a database', async () => {
    const server = join(folder.path, 'server');
    const home = join(folder.path, 'home');
    const dev = await folder.startServer(['--data-dir', server]);

    const own = join(home, 'svc');
    for (const args of [send, ['webhooks', 'listen', '--forward-to', ':9', '--json']]) {
      const refused = await svc(args, { env: { SVC_DATA_DIR: '', XDG_DATA_HOME: home }, cwd: folder.path });

      expect([refused.code, refused.stdout]).toEqual([5, '']);
      expect(JSON.parse(refused.stderr).error.hint.split('\n')).toEqual([
        `To use the server at ${dev.ready.base_url}, add --data-dir ${server}.`,
        `To use ${own} without a server, add --data-dir ${own}.`,
      ]);
    }
    expect(existsSync(own)).toBe(false);
  });

  it('uses the database that a flag, the environment or a .svc/ of its directory names', async () => {
    const dev = await folder.startServer(['--data-dir', join(folder.path, 'server')]);
    const project = join(folder.path, 'project');
    mkdirSync(join(project, '.svc'), { recursive: true, mode: 0o700 });
    const env = { SVC_DATA_DIR: '', XDG_DATA_HOME: join(folder.path, 'home') };
    const own = join(folder.path, 'own');

    const sent = [
      await svc([...send, '--data-dir', own], { env, cwd: folder.path }),
      await svc(send, { env: { ...env, SVC_DATA_DIR: own }, cwd: folder.path }),
      await svc(send, { env, cwd: project }),
    ];

    expect(sent.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
      [0, ''],
    ]);
    await dev.stop('SIGKILL');
    expect((await svc(send, { env, cwd: folder.path })).code).toBe(0);
  });
});

describe('the list of running servers', () => {
  const folder = folderOfEachTest();
  const { XDG_STATE_HOME } = process.env;
  /** No server listens there. */
  const BASE_URL = 'http://127.0.0.1:1/v1';

  beforeEach(() => {
    process.env.XDG_STATE_HOME = folder.path;
  });
  afterEach(() => {
    process.env.XDG_STATE_HOME = XDG_STATE_HOME;
  });

  const entries = () => readdirSync(join(folder.path, 'svc', 'servers')).length;
  const others = async () => (await otherServers('/not-listed')).map(({ dataDir }) => dataDir);

  /** Adds a data directory to the list. Its server.json has a server in this process, except for the given fields. */
  function register(fields: object): string {
    const dataDir = join(folder.path, 'data');
    mkdirSync(dataDir);
    const server = {
      pid: process.pid,
      process: identityOf(process.pid),
      instance: 'x',
      base_url: BASE_URL,
      smtp: { host: '127.0.0.1', port: 2 },
      data_dir: dataDir,
      started_at: '2026-01-01T00:00:00.000Z',
      api_key: 'svc_test_x',
      webhook_secret: 'whsec_x',
    };
    writeFileSync(join(dataDir, 'server.json'), JSON.stringify({ ...server, ...fields }));
    registerServer(dataDir);
    return dataDir;
  }

  it('keeps a server that does not respond, and a notice names it', async () => {
    const dataDir = register({});

    expect(await otherServerNotice('/mine')).toBe(
      `Using the data directory /mine, without a server. To use the server at ${BASE_URL}, add --data-dir ${dataDir}.`,
    );

    expect(await others()).toEqual([dataDir]);
    expect(entries()).toBe(1);
  });

  it.each([
    ['is not proven to run', { process: null }],
    ['has a server.json that svc never writes', { base_url: 'http://elsewhere.example/v1' }],
  ])('keeps the entry of a server that %s, without naming it', async (_, fields) => {
    register(fields);
    expect(await others()).toEqual([]);
    expect(await otherServerNotice('/mine')).toBeUndefined();
    expect(entries()).toBe(1);
  });

  it.each([
    ['whose process has ended', () => ({ pid: spawnSync('true').pid })],
    ['whose process ID belongs to another program', () => ({ process: 'of another program' })],
  ])('removes a server %s', async (_, fields) => {
    register(fields());
    expect(await others()).toEqual([]);
    expect(entries()).toBe(0);
  });

  it('removes a data directory without server.json', async () => {
    rmSync(register({}), { recursive: true });
    expect(await others()).toEqual([]);
    expect(entries()).toBe(0);
  });

  it('has the other servers if one entry cannot be read', async () => {
    const dataDir = register({});
    mkdirSync(join(folder.path, 'svc', 'servers', '0'));
    expect(await others()).toEqual([dataDir]);
  });

  it('has a server once, and removes an entry whatever its name is', async () => {
    const dataDir = register({});
    const draft = (name: string, content: string) => writeFileSync(join(folder.path, 'svc', 'servers', name), content);
    draft('0', dataDir);
    draft('1', join(folder.path, 'ended'));
    draft('2', '');
    expect(await others()).toEqual([dataDir]);
    expect(readdirSync(join(folder.path, 'svc', 'servers'))).not.toContain('1');
  });
});
