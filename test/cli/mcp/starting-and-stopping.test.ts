import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it } from 'vitest';
import { NOWHERE, start, startDev, temporaryDirectory, text } from '../../support/cli/binary.js';
import { openAgent } from '../../support/cli/mcp.js';

/** Tests `svc mcp` while the local server starts and stops, and how it ends. */

const folder = temporaryDirectory();
afterAll(() => folder.remove());

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1.0.0' } },
};
const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' };
const call = (id: number, name: string, args: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});
const lines = (...messages: object[]) => messages.map((message) => `${JSON.stringify(message)}\n`).join('');

describe('a local server that is not running', () => {
  it('is reported with the command that starts it, and used as soon as it runs', async () => {
    const dataDir = join(folder.path, 'restarted');
    const agent = await openAgent({ SVC_DATA_DIR: dataDir });
    const refused = await agent.refused('search_emails');
    expect(refused).toMatch(/^Error: Cannot connect to .*: it is not running\.\n/);
    // The shell of the agent may have another directory and other variables.
    expect(refused).toContain(`Start it with "svc dev --data-dir ${dataDir}"`);
    expect(await agent.client.listResources()).toEqual({ resources: [] });
    expect(await agent.call('diagnose')).toMatchObject({ findings: expect.any(Array) });
    await expect(agent.client.readResource({ uri: 'svc://emails/latest/text' })).rejects.toThrow('not running');

    const first = await startDev(['--data-dir', dataDir]);
    const { id } = await agent.call('send_email', { to: 'ada@example.test' });
    const waiting = agent.refused('wait_for_email', { query: 'subject:never', timeout_ms: 50_000 });
    await agent.call('search_emails');
    expect(await first.stop()).toBe(0);
    expect(await waiting).toMatch(/^Error: .*\nStart it (again )?with "svc dev/);
    expect(await agent.refused('get_email', { id })).toContain('Start it with');

    const second = await startDev(['--data-dir', dataDir]);
    expect(await agent.call('get_email', { id })).toMatchObject({ id });
    await agent.close();
    expect(await second.stop()).toBe(0);
  });

  it('is not replaced by a server without a control API, which may send emails for real', async () => {
    const dev = await startDev(['--in-memory', '--no-control']);
    const { base_url, api_key } = dev.ready;
    const agent = await openAgent({ SVC_BASE_URL: base_url, SVC_API_KEY: api_key, SVC_DATA_DIR: NOWHERE });
    expect(await agent.refused('send_email', { to: 'ada@example.test' })).toContain(
      `"svc mcp" needs the control API, which is disabled on ${base_url} (--no-control).`,
    );
    await agent.close();
    expect(await dev.stop()).toBe(0);
  });
});

describe('the end', () => {
  it('comes with that of stdin, after the answers; stdout has only the protocol', async () => {
    const child = start(['mcp'], { env: { SVC_DATA_DIR: join(folder.path, 'none') } });
    const output = Promise.all([text(child.stdout), text(child.stderr)]);
    child.stdin?.end(
      `not JSON\n${lines(
        { id: 9, method: 'tools/list' },
        INITIALIZE,
        INITIALIZED,
        call(1, 'search_emails'),
        call(2, 'get_email', { idd: 1 }),
        {
          jsonrpc: '2.0',
          id: 3,
          method: 'tools/list',
        },
      )}`,
    );
    const [code] = await once(child, 'exit');
    const [stdout, stderr] = await output;
    expect(code, stderr).toBe(0);
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers.flatMap(({ id }) => id ?? []).sort()).toEqual([0, 1, 2, 3]);
    expect(answers.filter(({ id }) => id === null).map(({ error }) => error.code)).toEqual([-32_700, -32_600]);
    for (const { jsonrpc } of answers) expect(jsonrpc).toBe('2.0');
    expect(stderr).toContain('MCP: ');
    expect(stderr).toContain('get_email: Error: Invalid arguments for get_email.');
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('comes with %s during a wait', async (signal, expected) => {
    const dev = await startDev(['--data-dir', join(folder.path, signal)]);
    const child = start(['mcp'], { env: { SVC_DATA_DIR: dev.ready.data_dir ?? '' } });
    const stderr = text(child.stderr);
    const answers = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
    const wait = call(1, 'wait_for_email', { query: 'subject:never', timeout_ms: 50_000 });
    child.stdin?.write(lines(INITIALIZE, INITIALIZED, wait, call(2, 'search_emails')));
    expect(JSON.parse((await answers.next()).value)).toMatchObject({ id: 0 });
    expect(JSON.parse((await answers.next()).value)).toMatchObject({ id: 2 });
    child.kill(signal);
    const [code] = await once(child, 'exit');
    expect(code, await stderr).toBe(expected);
    expect(await answers.next()).toMatchObject({ done: true });
    expect(await dev.stop()).toBe(0);
  });
});
