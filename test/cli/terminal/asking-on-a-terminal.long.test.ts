import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BINARY, type DevServer, startDev, svc, temporaryDirectory } from '../../support/cli/binary.js';
import { openTerminal, type Terminal } from '../../support/cli/terminal/terminal.js';

/** Tests prompts, which only a person at a terminal gets. */

describe('a question on a terminal', () => {
  const folder = temporaryDirectory();
  let dev: DevServer;
  let terminal: Terminal | undefined;
  let remote: Record<string, string>;

  beforeAll(async () => {
    dev = await startDev(['--in-memory']);
    const elsewhere = { SVC_DATA_DIR: join(folder.path, 'data'), SVC_CONFIG_DIR: join(folder.path, 'config') };
    remote = { ...elsewhere, SVC_BASE_URL: dev.ready.base_url };
  });

  afterEach(() => terminal?.close());

  afterAll(async () => {
    await dev.stop();
    folder.remove();
  });

  async function open(args: string[], env: Record<string, string>): Promise<Terminal> {
    terminal = await openTerminal([process.execPath, BINARY, ...args], { env });
    return terminal;
  }

  const withKey = () => ({ ...remote, SVC_API_KEY: dev.ready.api_key });

  const cases: [string, string[], Record<string, string>][] = [
    ['CI', [], { CI: '1' }],
    ['TERM=dumb', [], { TERM: 'dumb' }],
    ['--no-input', ['--no-input'], {}],
  ];

  it.each(cases)('is not asked under %s', async (_, flags, env) => {
    const { until } = await open(['domains', 'delete', 'a.example.test', ...flags], { ...withKey(), ...env });

    const screen = await until(/ended with 2/);

    // The terminal breaks the line where it is full.
    expect(screen.replace(/\s+/g, '')).toMatch(
      /Error:Cannotaskforconfirmationwithoutaterminal\.Pass--yestodeletea\.example\.testonhttp/,
    );
  });

  it.each(cases)('for a key is not asked either, under %s', async (_, flags, env) => {
    const args = ['profiles', 'add', 'staging', '--base-url', dev.ready.base_url, ...flags];
    const { until } = await open(args, { ...remote, ...env });

    expect(await until(/ended with 2/)).toContain('Cannot prompt');
  });

  it.each([
    ['C-c', 'Interrupted.', 130],
    ['C-d', 'Nothing was changed.', 1],
  ])('is answered with %s', async (key, message, code) => {
    const { press, until } = await open(['domains', 'delete', 'a.example.test'], withKey());
    await until(/\[y\/N\]/);

    press(key);

    const screen = await until(new RegExp(`ended with ${code}`));
    expect(screen).toContain(message);
    if (key === 'C-d') expect(screen).not.toContain('Error');
  });

  it.each([
    ['C-c', 'Interrupted.', 130],
    ['C-d', 'API key is required.', 2],
  ])('for a key is answered with %s', async (key, message, code) => {
    const { press, until } = await open(['profiles', 'add', 'staging', '--base-url', dev.ready.base_url], remote);
    await until(/API key:/);

    press(key);

    expect(await until(new RegExp(`ended with ${code}`))).toContain(message);
  });

  it.each([
    ['n', 1, 1],
    ['y', 0, 0],
  ])('before a local server is emptied accepts the answer %s', async (answer, code, left) => {
    const args = ['--data-dir', join(folder.path, `answered ${answer}`)];
    await svc(['emails', 'send', '--to', 'ada@example.test', ...args]);
    const { press, until } = await open(['dev', 'reset', ...args], {});
    await until(/Delete all data in the data directory\? \[y\/N\]/);

    press(answer, 'Enter');

    await until(new RegExp(`ended with ${code}`));
    const { stdout } = await svc(['emails', 'list', '--json', ...args]);
    expect(JSON.parse(stdout).pagination.total).toBe(left);
  });

  it('before a workspace is emptied names the workspace', async () => {
    const { base_url, api_key } = dev.ready;
    const created = await fetch(base_url.replace('/v1', '/_svc/workspaces'), {
      method: 'POST',
      headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
      body: '{"name": "shop"}',
    });
    const { data } = (await created.json()) as { data: { api_key: string } };
    const { press, until } = await open(['dev', 'reset'], { ...remote, SVC_API_KEY: data.api_key });
    expect((await until(/\[y\/N\]/)).replace(/\s+/g, ' ')).toContain(
      'Delete the emails and webhooks of workspace shop on',
    );
    press('y', 'Enter');
    expect(await until(/ended with 0/)).toContain('Deleted the emails and webhooks of workspace shop.');
  });

  it.each(cases)('is not asked before a local server is emptied, under %s', async (_, flags, env) => {
    const args = ['dev', 'reset', '--data-dir', join(folder.path, 'emptied'), ...flags];
    const { until } = await open(args, env);

    expect(await until(/ended with 0/)).toContain('Deleted all data in ');
  });

  it('for a key shows nothing of what is typed', async () => {
    const { press, until } = await open(['profiles', 'add', 'staging', '--base-url', dev.ready.base_url], remote);
    await until(/API key:/);

    press('svc_test_typed');
    press('Enter');

    expect(await until(/ended with 0/)).not.toContain('svc_test_typed');
  });
});
