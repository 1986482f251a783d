import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
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
