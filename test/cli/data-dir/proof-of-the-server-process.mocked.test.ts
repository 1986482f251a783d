import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readRunningServer } from '../../../src/cli/data-dir/server-file.js';
import { stopServer } from '../../../src/cli/server/stop.js';
import { takeServerLock } from '../../../src/storage/server-lock.js';
import { temporaryDirectory } from '../../support/cli/binary.js';
import { type Listener, openMachine, startImpostor } from '../../support/cli/users.js';

// Simulates a system that, unlike Linux, reports neither the identity of a process nor the holders of a lock.
vi.mock('../../../src/cli/process/process-identity.js', async (original) => ({
  ...(await original<object>()),
  identityOf: () => undefined,
  userOf: () => undefined,
  lockHolders: () => undefined,
}));

describe('where the system does not identify processes', () => {
  let folder: { path: string; remove(): void };
  let listener: Listener;
  let lock: ReturnType<typeof takeServerLock>;

  beforeEach(async () => {
    folder = temporaryDirectory();
    mkdirSync(join(folder.path, '.svc'));
    listener = await startImpostor('the-instance');
    lock = takeServerLock(dataDir());
    expect(lock).toBeDefined();
  });
  afterEach(async () => {
    lock?.release();
    await listener.close();
    folder.remove();
  });

  const dataDir = () => join(folder.path, '.svc');
  const serverOf = (pid: number, instance = 'the-instance') => ({
    pid,
    instance,
    base_url: listener.baseUrl,
    smtp: { host: '127.0.0.1', port: listener.port },
    data_dir: null,
    started_at: '2026-01-01T00:00:00.000Z',
    api_key: 'svc_test_known',
    webhook_secret: 'whsec_known',
  });

  it('does not signal a process that does not answer as the instance, although the lock is held', async () => {
    const machine = openMachine(folder);
    const bystander = await machine.victim.startBystander();

    await expect(stopServer(dataDir(), serverOf(bystander.pid as number, 'another'))).rejects.toThrow(
      `Process ${bystander.pid} was not stopped`,
    );

    expect(bystander.signalCode).toBeNull();
    bystander.kill('SIGKILL');
    expect(await once(bystander, 'exit')).toEqual([null, 'SIGKILL']);
    machine.remove();
  });

  it('stops the process when the server answers as the instance', async () => {
    const machine = openMachine(folder);
    const process = await machine.victim.startBystander();
    const exited = once(process, 'exit');

    await stopServer(dataDir(), serverOf(process.pid as number));

    expect(await exited).toEqual([null, 'SIGTERM']);
    machine.remove();
  });

  it.each([
    ['no identity', {}],
    ['an empty identity', { process: null }],
  ])('refuses pid 1 with %s', (_, identity) => {
    writeFileSync(join(dataDir(), 'server.json'), JSON.stringify({ ...serverOf(1), ...identity }));

    expect(() => readRunningServer(dataDir())).toThrow('pid must be an integer greater than 1');
  });
});
