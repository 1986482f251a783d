import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { beforeEach, describe, expect, it } from 'vitest';
import { BINARY, type DevServer, svc } from '../../support/cli/binary.js';
import { folderOfEachTest } from '../../support/each-test.js';

/** Tests the request log on the command line. */

describe('svc logs', () => {
  const folder = folderOfEachTest();
  let dev: DevServer;

  beforeEach(async () => {
    dev = await folder.startServer();
  });

  const run = (...args: string[]) => svc(args, { env: { SVC_DATA_DIR: folder.path, TZ: 'America/New_York' } });

  async function ask(path: string): Promise<string> {
    const response = await fetch(dev.ready.base_url + path, {
      headers: { authorization: `Bearer ${dev.ready.api_key}` },
    });
    return response.headers.get('x-request-id') ?? '';
  }

  it('list shows requests, newest first, filtered, and after the server has ended', async () => {
    await ask('/emails');
    const refused = await ask('/emails/msg_none?to=ada@example.test');

    const list = JSON.parse((await run('logs', 'list', '--json')).stdout);
    expect(list.requests).toMatchObject([
      {
        request_id: refused,
        path: '/v1/emails/msg_none',
        status: 404,
        error_code: 'not_found',
        error_message: 'Email "msg_none" not found.',
      },
      { path: '/v1/emails', status: 200, error_code: null },
    ]);
    await dev.stop();
    const { code, stdout } = await run('logs', 'list', '--status', '4xx', '--path', '/v1/emails/*');

    expect(code).toBe(0);
    const [, line, ...more] = stdout.trimEnd().split('\n');
    expect(line).toMatch(/404\s+GET\s+\/v1\/emails\/msg_none\s.*not_found: Email "msg_none" not found\.;/);
    expect(more).toEqual([]);
  });

  it('shows times in the machine’s time zone with its offset, and in UTC with --json', async () => {
    const moved = await run('dev', 'clock', 'set', '2026-07-04T02:30:00+02:00');
    expect(moved.stdout).toMatch(/^2026-07-03T20:30:0\d-04:00 {2}\d+d\S* behind\n/);
    await ask('/emails');
    const [request] = JSON.parse((await run('logs', 'list', '--json')).stdout).requests;
    expect(request.created_at).toMatch(/^2026-07-04T00:30:\d\d\.\d{3}Z$/);

    const { stdout } = await run('logs', 'list');

    const [shown] = /2026-07-03T20:30:\d\d-04:00/.exec(stdout) ?? [];
    expect(Math.trunc(Date.parse(request.created_at) / 1_000)).toBe(Date.parse(shown!) / 1_000);
  });

  it('list reports that no request matches', async () => {
    await ask('/emails');

    expect((await run('logs', 'list', '--status', '4xx')).stderr).toBe('No requests match.\n');
  });

  it('tail shows matching requests as they arrive', async () => {
    const child = spawn(process.execPath, [BINARY, 'logs', 'tail', '--json', '--status', '2xx'], {
      env: { ...process.env, SVC_DATA_DIR: folder.path },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const exited = once(child, 'exit');
    const said = createInterface({ input: child.stderr })[Symbol.asyncIterator]();
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    expect((await said.next()).value).toContain('Waiting for requests');

    await ask('/emails/msg_none');
    const shown = await ask('/emails');

    expect(JSON.parse((await lines.next()).value)).toMatchObject({ request_id: shown, status: 200 });
    child.kill('SIGINT');
    await exited;
  });

  it('tail --smtp ends when the API key may read requests, but no SMTP sessions', async () => {
    const { stdout } = await run('dev', 'workspaces', 'create', 'one', '--json');
    const key = JSON.parse(stdout).api_key;

    const { code, stderr } = await run('logs', 'tail', '--smtp', '--api-key', key);

    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining('read SMTP sessions') });
  });

  it('tail exits with 5 when the server ends, and when none is running', async () => {
    const child = spawn(process.execPath, [BINARY, 'logs', 'tail'], {
      env: { ...process.env, SVC_DATA_DIR: folder.path },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const exited = once(child, 'exit');
    const said = createInterface({ input: child.stderr })[Symbol.asyncIterator]();
    expect((await said.next()).value).toContain('Waiting for requests');

    await dev.stop();

    expect(await exited).toEqual([5, null]);
    expect((await run('logs', 'tail')).code).toBe(5);
  });
});
