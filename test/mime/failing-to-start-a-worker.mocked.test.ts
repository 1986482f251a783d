import { EventEmitter } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ProcessorUnavailableError } from '../../src/core/ports.js';
import { WorkerPool } from '../../src/mime/worker/pool.js';
import { ManualTimers } from '../support/servers/manual-timers.js';

const { spawn } = vi.hoisted(() => ({ spawn: vi.fn() }));
vi.mock('node:child_process', () => ({ spawn }));

/**
 * Returns a child as Node does when file descriptors run out: without `stdio`, and with an "error" event afterwards.
 */
function childWithoutStdio() {
  const child = Object.assign(new EventEmitter(), { ref() {}, unref() {}, kill: () => false });
  process.nextTick(() => child.emit('error', Object.assign(new Error('spawn EMFILE'), { code: 'EMFILE' })));
  return child;
}

const openPool = () =>
  new WorkerPool({
    clock: new ManualTimers(),
    entry: 'worker.js',
    size: 1,
    deadlineMs: 1_000,
    cpuMs: 60_000,
    idleMs: 30_000,
    memoryBytes: 256 * 1024 * 1024,
    heapMegabytes: 64,
  });

describe('a system that cannot start a worker process', () => {
  const pool = openPool();
  afterEach(() => pool.close());

  it('fails a task without blaming it when no file descriptor is left', async () => {
    spawn.mockImplementation(childWithoutStdio);
    pool.warm();
    expect(pool.pids).toEqual([]);
    await expect(pool.run('parse', '')).rejects.toBeInstanceOf(ProcessorUnavailableError);
    await pool.close();
  });
});

describe('a system that refuses to start a process', () => {
  it('does not end the server when it starts a worker ahead of the first task', async () => {
    spawn.mockImplementation(() => {
      throw Object.assign(new Error('spawn ENOMEM'), { code: 'ENOMEM' });
    });
    const pool = openPool();
    expect(() => pool.warm()).not.toThrow();
    await expect(pool.run('parse', '')).rejects.toBeInstanceOf(ProcessorUnavailableError);
    await pool.close();
  });
});
