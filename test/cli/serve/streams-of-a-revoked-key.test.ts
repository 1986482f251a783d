import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { start, startDev, svc, temporaryDirectory } from '../../support/cli/binary.js';
import { ADMIN_KEY, startServe, type TeamServer } from '../../support/cli/serve.js';

describe('a command whose API key is revoked while it follows the server', () => {
  const directory = temporaryDirectory();
  let server: TeamServer;

  beforeAll(async () => {
    server = await startServe(['--data-dir', join(directory.path, 'team')]);
  });
  afterAll(async () => {
    await server?.stop();
    directory.remove();
  });

  it.each([
    ['logs tail', ['logs', 'tail', '--smtp']],
    ['smtp sessions --follow', ['smtp', 'sessions', '--follow']],
    ['emails list --watch', ['emails', 'list', '--watch']],
  ])('ends with exit code 4 and the reason: %s', (_, command) =>
    expectEnd(command, { SVC_BASE_URL: server.ready.base_url, SVC_CONFIG_DIR: directory.path }, ADMIN_KEY),
  );

  // It takes the events of a server for a team at a public address.
  it('ends with exit code 4 and the reason: webhooks listen', async () => {
    const env = { SVC_DATA_DIR: join(directory.path, 'local'), SVC_CONFIG_DIR: directory.path };
    const dev = await startDev([], { env });
    const listen = ['webhooks', 'listen', '--forward-to', 'http://127.0.0.1:9/hooks', '--json'];
    await expectEnd(listen, env, dev.ready.api_key);
    await dev.stop();
  });
});

/** Starts a command with a key, revokes the key, and expects that the command ends. */
async function expectEnd(command: string[], env: Record<string, string>, ownerKey: string): Promise<void> {
  const asOwner = (args: string[]) => svc(args, { env: { ...env, SVC_API_KEY: ownerKey } });
  const { id, key } = JSON.parse((await asOwner(['api-keys', 'create', '--name', 'CI', '--json'])).stdout);
  const child = start(command, { env: { ...env, SVC_API_KEY: key } });
  const closed = once(child, 'close');
  let output = '';
  const isReady = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        output += chunk;
        if (/Waiting for|"ready"/.test(output)) resolve();
      });
    }
  });
  await Promise.race([isReady, closed]);
  expect((await asOwner(['api-keys', 'revoke', id, '--yes'])).code).toBe(0);
  expect([(await closed)[0], output]).toEqual([4, expect.stringMatching(/The API key .*has been revoked\./)]);
  expect(output).not.toContain('reconnect');
}
