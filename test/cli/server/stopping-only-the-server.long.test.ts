import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bystander, KEY, machine, prepareMachine, serverFile } from '../../support/cli/trust.js';
import { isRoot, startImpostor } from '../../support/cli/users.js';

/** Tests that `svc dev stop` signals only a process that is provably the server. */

prepareMachine();

// Other systems cannot distinguish a process from one that had its id before; there the lock of the directory decides.
describe.skipIf(process.platform !== 'linux')('a process that is not the server', () => {
  const dataDir = () => join(machine.victim.home, '.svc');

  /** Leaves a server.json as SIGKILL would, with these changes. */
  async function leaveServerFile(changes: (left: object) => object): Promise<{ instance: string; port: number }> {
    const server = await machine.victim.startDev(['--data-dir', '.svc']);
    const file = join(dataDir(), 'server.json');
    const left = JSON.parse(readFileSync(file, 'utf8'));
    await server.stop('SIGKILL');
    expect(existsSync(file)).toBe(true);
    writeFileSync(file, JSON.stringify({ ...left, ...changes(left) }));
    return { instance: left.instance, port: Number(new URL(left.base_url).port) };
  }

  it('is not mistaken for the server if it reuses the pid, even if the port is in use again', async () => {
    const { pid } = await bystander();
    const { instance, port } = await leaveServerFile(() => ({ pid }));
    const successor = await startImpostor(instance, port);

    const list = await machine.victim.svc(['emails', 'list'], { env: KEY });
    const environment = await machine.victim.svc(['dev', 'env']);
    const stop = await machine.victim.svc(['dev', 'stop']);

    await successor.close();
    expect(successor.received).toEqual([]);
    // The key is not one of that data directory, and no server accepts it.
    expect(list.code).toBe(4);
    expect(environment).toMatchObject({ code: 5, stdout: 'false\n' });
    expect(stop).toMatchObject({ code: 5, stdout: '' });
    expect(process.kill(pid as number, 0)).toBe(true);
  });

  it('is not stopped, even if everything in server.json matches it and something answers', async () => {
    const { pid } = await bystander();
    await leaveServerFile(() => JSON.parse(serverFile(pid)));

    const stop = await machine.victim.svc(['dev', 'stop']);

    expect(stop).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(`Process ${pid} was not stopped`),
    });
    expect(process.kill(pid as number, 0)).toBe(true);
  });

  it('is not stopped by a server.json of a dead server that names it without a start time', async () => {
    const { pid } = await bystander();
    await leaveServerFile(() => ({ ...JSON.parse(serverFile(pid)), process: undefined }));

    expect(await machine.victim.svc(['dev', 'stop'])).toMatchObject({ code: 5, stdout: '' });
    expect(process.kill(pid as number, 0)).toBe(true);
  });

  // As any other user, kill(-1) would end what the tests themselves run in.
  it.skipIf(!isRoot).each([-1, 0, 1])(
    'is not signalled by pid %i, which means every process, the group or the system',
    async (pid) => {
      const child = await bystander();
      const exited = once(child, 'exit').then(() => 'exited');
      await leaveServerFile(() => ({ ...JSON.parse(serverFile(child.pid)), pid }));

      const stop = await machine.victim.svc(['dev', 'stop']);

      expect(stop).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('pid must be') });
      // A second process of this user, started and ended after it.
      await machine.victim.svc(['--version']);
      expect(await Promise.race([exited, Promise.resolve('runs')])).toBe('runs');
    },
  );

  it('is stopped if it is the server, even when suspended', async () => {
    const server = await machine.victim.startDev(['--data-dir', '.svc']);
    const exited = once(server.child, 'exit');
    server.child.kill('SIGSTOP');

    expect((await machine.victim.svc(['dev', 'stop'])).code).toBe(0);
    expect(await exited).toEqual([0, null]);
  });
});
