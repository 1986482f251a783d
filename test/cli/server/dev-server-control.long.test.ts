import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { svc } from '../../support/cli/binary.js';
import { folderOfEachTest } from '../../support/each-test.js';

/** Tests inspecting and stopping the running local server from another terminal. */

describe('the local server from another terminal', () => {
  // A name that a shell would split if it were not quoted.
  const folder = folderOfEachTest();
  let dataDir: string;

  beforeEach(() => {
    dataDir = join(folder.path, "it's $HOME");
  });

  const run = (...args: string[]) => svc(args, { env: { SVC_DATA_DIR: dataDir } });

  it('a shell evaluates the output of dev env to the values of its JSON output', async () => {
    dataDir += '\u200b';
    const dev = await folder.startServer(['--data-dir', dataDir]);

    const lines = await run('dev', 'env');
    const values = JSON.parse((await run('dev', 'env', '--json')).stdout) as Record<string, string>;

    const { base_url, inbox_url, api_key, webhook_secret, smtp } = dev.ready;
    expect(values).toEqual({
      SVC_BASE_URL: base_url,
      SVC_API_KEY: api_key,
      SVC_SMTP_HOST: smtp.host,
      SVC_SMTP_PORT: String(smtp.port),
      SVC_WEBHOOK_SECRET: webhook_secret,
      SVC_INBOX_URL: inbox_url,
      SVC_DATA_DIR: dataDir,
    });
    const show = Object.keys(values).map((name) => `printf '%s\\n' "$${name}"`);
    const evaluated = execFileSync('sh', ['-c', [lines.stdout, ...show].join('\n')], { encoding: 'utf8', env: {} });
    expect(evaluated.trimEnd().split('\n')).toEqual(Object.values(values));
  });

  it('status shows its address and its contents', async () => {
    const dev = await folder.startServer(['--data-dir', dataDir]);
    await run('emails', 'send', '--to', 'ada@example.test');

    const { code, stdout } = await run('dev', 'status', '--json');

    const { base_url, smtp, pid } = dev.ready;
    const counts = { emails: 1, templates: 0, domains: 0, webhooks: 0, api_keys: 1 };
    expect({ code, status: JSON.parse(stdout) }).toEqual({
      code: 0,
      status: { running: true, base_url, smtp, pid, data_dir: dataDir, counts, started_at: expect.any(String) },
    });
    expect((await run('dev', 'status')).stdout).toContain(base_url);
  });

  it('reset with the key of a workspace empties and names the workspace', async () => {
    const { ready } = await folder.startServer(['--data-dir', dataDir]);
    const created = await run('dev', 'workspaces', 'create', 'worker-3', '--json');
    const env = { SVC_BASE_URL: ready.base_url, SVC_API_KEY: JSON.parse(created.stdout).api_key };

    const { code, stderr } = await svc(['dev', 'reset', '--yes'], { env });

    expect(stderr).toContain(`Deleted the emails and webhooks of workspace worker-3 in ${dataDir}.\n`);
    expect(code).toBe(0);
  });

  it('stop waits until it has ended', async () => {
    const dev = await folder.startServer(['--data-dir', dataDir]);
    const exited = once(dev.child, 'exit');

    const { code, stdout } = await run('dev', 'stop', '--json');

    expect({ code, stopped: JSON.parse(stdout) }).toEqual({
      code: 0,
      stopped: { stopped: true, pid: dev.ready.pid, base_url: dev.ready.base_url },
    });
    expect(await exited).toEqual([0, null]);
    expect(existsSync(join(dataDir, 'server.json'))).toBe(false);
  });

  it('status --wait waits until a server that starts meanwhile is ready', async () => {
    const waiting = run('dev', 'status', '--wait', '--json');
    const dev = await folder.startServer(['--data-dir', dataDir]);

    const { code, stdout } = await waiting;

    expect({ code, status: JSON.parse(stdout) }).toMatchObject({ code: 0, status: { pid: dev.ready.pid } });
  });

  it('status --wait reports that no server is running after its time', async () => {
    const { code, stderr } = await run('dev', 'status', '--wait', '10ms');

    expect({ code, stderr }).toEqual({ code: 5, stderr: expect.stringContaining('it is not running') });
  });

  it.each(['status', 'env', 'stop'])('%s reports how to start one when none is running', async (verb) => {
    const { code, stdout, stderr } = await svc(['dev', verb, '--data-dir', dataDir]);

    // A shell that evaluates the output of env must fail as well.
    expect({ code, stdout }).toEqual({ code: 5, stdout: verb === 'env' ? 'false\n' : '' });
    expect(stderr).toContain('it is not running');
    expect(stderr).toContain(`Start it with "svc dev --data-dir '${dataDir.replace("'", "'\\''")}'".`);
    expect(stderr).not.toContain('--base-url');
  });

  it('stop does not signal a process whose id is in a stale server.json', async () => {
    const _dev = await folder.startServer(['--data-dir', dataDir]);
    const stale = JSON.parse(readFileSync(join(dataDir, 'server.json'), 'utf8'));
    await run('dev', 'stop');
    // Process ids are reused: this one is not a server.
    writeFileSync(join(dataDir, 'server.json'), JSON.stringify({ ...stale, pid: process.pid }));

    expect((await run('dev', 'stop')).code).toBe(5);
  });
});
