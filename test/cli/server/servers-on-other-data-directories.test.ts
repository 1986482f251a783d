import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import envPaths from 'env-paths';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDataDir, writeRunningServer } from '../../../src/cli/data-dir/data-dir.js';
import { otherServers, registerServer } from '../../../src/cli/data-dir/registry.js';
import { identityOf } from '../../../src/cli/process/process-identity.js';
import { svc } from '../../support/cli/binary.js';
import { folderOfEachTest } from '../../support/each-test.js';

/** Tests that commands on a data directory without a server name a server that runs on another one. */

describe('the list of running servers', () => {
  const folder = folderOfEachTest();
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it('is read despite entries that cannot be read, and loses those of ended servers', async () => {
    for (const name of ['XDG_STATE_HOME', 'HOME', 'LOCALAPPDATA']) vi.stubEnv(name, folder.path);
    const dataDir = join(folder.path, 'data');
    createDataDir(dataDir);
    const credentials = { api_key: 'svc_test_x', webhook_secret: 'whsec_x' };
    const address = {
      base_url: 'http://127.0.0.1:8025/v1',
      smtp: { host: '127.0.0.1', port: 1025 },
      data_dir: dataDir,
    };
    const own = { pid: process.pid, process: identityOf(process.pid) ?? null, instance: 'x', started_at: 'now' };
    writeRunningServer(dataDir, { ...credentials, ...address, ...own });
    registerServer(dataDir);
    const registry = join(envPaths('svc', { suffix: '' }).log, 'servers');
    const [entry = ''] = readdirSync(registry);
    mkdirSync(join(registry, '000'));
    writeFileSync(join(registry, '001'), join(folder.path, 'ended'));
    writeFileSync(join(registry, '002'), '');

    const found = await otherServers(join(folder.path, 'here'));

    expect(found.map((each) => each.dataDir)).toEqual([dataDir]);
    expect(readdirSync(registry)).toEqual(['000', '002', entry].sort());
  });
});

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

    const flag = `--data-dir '${elsewhere.replace("'", "'\\''")}'`;
    const advice = `To use the server at ${dev.ready.base_url}, add ${flag}.`;
    expect(list.stderr).toBe(
      `Using the data directory ${here}, without a server. ${advice}\n` +
        'No emails. Send one with: svc emails send --to delivered@simulator.test\n',
    );
    expect(json.stderr).toBe('');
    expect(named.stderr).not.toContain(dev.ready.base_url);
    expect(status.stderr).toContain(`Start it with "svc dev". ${advice}`);
    await dev.stop('SIGKILL');
    expect((await run('emails', 'list')).stderr).not.toContain(advice);
  });
});
