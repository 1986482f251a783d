import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BINARY, svc, temporaryDirectory } from '../../support/cli/binary.js';
import { openTerminal } from '../../support/cli/terminal/terminal.js';
import { answers, type ScriptedServer, startScripted } from '../../support/servers/scripted-server.js';

/** Tests that a command that destroys or overwrites something on a remote server asks first, or requires --yes. */

const commands: [string, ...string[]][] = [
  ['emails', 'cancel', 'msg_1'],
  ['templates', 'update', 'tpl_1', '--subject', 'x'],
  ['templates', 'delete', 'tpl_1'],
  ['domains', 'delete', 'example.test'],
  ['api-keys', 'revoke', 'key_1'],
  ['webhooks', 'update', 'whk_1', '--no-active'],
  ['webhooks', 'delete', 'whk_1'],
  ['suppressions', 'remove', 'ada@example.test'],
  ['dev', 'rules', 'remove', 'rul_1'],
  ['dev', 'reset'],
];

describe('a command that destroys something on a remote server', () => {
  let server: ScriptedServer;
  let directory: ReturnType<typeof temporaryDirectory>;

  beforeAll(async () => {
    directory = temporaryDirectory();
    server = await startScripted([
      answers({ id: 'tpl_1', status: 'ok', control: true, events: [], api_keys: [], name: 'x' }),
    ]);
  });
  afterAll(async () => {
    await server.close();
    directory.remove();
  });

  const env = () => ({ SVC_BASE_URL: server.baseUrl, SVC_API_KEY: 'svc_test_x', SVC_DATA_DIR: directory.path });
  const changes = () => server.asked.filter(({ method }) => method !== 'GET').length;

  it.each(commands)('%s %s %s with --yes succeeds', async (...words) => {
    const before = changes();

    expect((await svc([...words, '--yes'], { env: env() })).code).toBe(0);
    expect(changes()).toBe(before + 1);
  });

  it.each([
    ['n', 1, 0],
    ['y', 0, 1],
  ])('on a terminal accepts the answer %s', async (answer, code, made) => {
    const before = changes();
    const command = [process.execPath, BINARY, 'templates', 'update', 'tpl_1', '--subject', 'x'];
    const terminal = await openTerminal(command, { env: env() });
    try {
      await terminal.until(/Update template tpl_1 on .*\? \[y\/N\]/s);
      terminal.press(answer);
      terminal.press('Enter');
      await terminal.until(new RegExp(`ended with ${code}`));
    } finally {
      await terminal.close();
    }
    expect(changes()).toBe(before + made);
  });
});
