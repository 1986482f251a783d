import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DevServer, startDev, svc } from '../../support/cli/binary.js';
import { bystander, prepareMachine } from '../../support/cli/trust.js';
import { folderOfEachTest } from '../../support/each-test.js';

/**
 * Tests commands after a crash, which leaves server.json behind. It blocks no command, even after the machine's
 * addresses changed.
 */

prepareMachine();

describe('a server.json left by a crash, with an address that this machine no longer has', () => {
  const folder = folderOfEachTest();
  let remote: DevServer;

  beforeEach(async () => {
    remote = await startDev(['--in-memory']);
  });
  afterEach(() => remote.stop());

  const run = (...args: string[]) => svc([...args, '--data-dir', folder.path]);

  /** Ends a server with SIGKILL, and moves the machine to a network where it has another address. */
  async function crash(changes: object = {}): Promise<void> {
    const server = await folder.startServer();
    const file = join(folder.path, 'server.json');
    const left = JSON.parse(readFileSync(file, 'utf8'));
    await server.stop('SIGKILL');
    expect(existsSync(file)).toBe(true);
    const smtp = { host: '192.0.2.1', port: 1025 };
    writeFileSync(file, JSON.stringify({ ...left, base_url: 'http://192.0.2.1:8025/v1', smtp, ...changes }));
  }

  it('does not block commands on the data directory', async () => {
    await crash();

    const list = await run('emails', 'list', '--json');
    const status = await run('dev', 'status');
    const doctor = await run('doctor', '--json');

    expect({ ...list, stdout: JSON.parse(list.stdout).emails }).toEqual({ code: 0, stdout: [], stderr: '' });
    expect(status).toMatchObject({ code: 5, stderr: expect.stringContaining('it is not running') });
    expect(JSON.parse(doctor.stdout).findings).toContainEqual(
      expect.objectContaining({ check: 'server', ok: false, found: expect.stringContaining('does not answer') }),
    );
  });

  it('does not block a command for another server', async () => {
    await crash();
    const { base_url, api_key } = remote.ready;

    const list = await run('emails', 'list', '--base-url', base_url, '--api-key', api_key);

    expect(list).toMatchObject({ code: 0, stderr: expect.stringContaining(`Using ${base_url}\n`) });
  });

  // Other systems cannot distinguish a process that reuses the id from the server.
  it.skipIf(process.platform !== 'linux')('does not block commands when another process has its pid', async () => {
    const { pid } = await bystander();
    await crash({ pid });

    expect(await run('emails', 'list')).toMatchObject({ code: 0 });
    expect(await run('dev', 'status')).toMatchObject({ code: 5 });
  });
});
