import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProcessorUnavailableError, UnprocessableError } from '../../src/core/ports.js';
import { WorkerPool } from '../../src/mime/worker/pool.js';
import { ROOT } from '../support/cli/binary.js';
import { ManualTimers } from '../support/servers/manual-timers.js';

const TICK_MS = 100;
const fixture = (name: string) => join(ROOT, 'test/fixtures/workers', name);

describe('the pool of workers', () => {
  const timers = new ManualTimers();
  let pool: WorkerPool;
  let directory: string;

  function open(entry = fixture('worker.cjs'), size = 1, groupOf?: (kind: string) => string): WorkerPool {
    pool = new WorkerPool({
      ...(groupOf && { groupOf, perGroup: 2 }),
      clock: timers,
      entry,
      size,
      deadlineMs: 1_000,
      cpuMs: 60_000,
      idleMs: 30_000,
      memoryBytes: 256 * 1024 * 1024,
      heapMegabytes: 64,
    });
    return pool;
  }

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'svc-pool-'));
  });
  afterEach(async () => {
    await pool.close();
    rmSync(directory, { recursive: true });
  });

  const pass = (ticks: number) => {
    for (let tick = 0; tick < ticks; tick += 1) timers.fire(TICK_MS);
  };
  const pidOf = async (result: Promise<unknown>) => ((await result) as { pid: number }).pid;

  it('performs tasks one after another in one process', async () => {
    open();
    const results = await Promise.all([pool.run('echo', 1), pool.run('echo', 'two'), pool.run('echo', [3])]);
    expect(results.map((result) => (result as { input: unknown }).input)).toEqual([1, 'two', [3]]);
    expect(new Set(results.map((result) => (result as { pid: number }).pid)).size).toBe(1);
  });

  it('starts no process before the first task', () => {
    expect(open().pids).toEqual([]);
  });

  it('fails a task with the reason that the worker gives', async () => {
    open();
    await expect(pool.run('fail', 5)).rejects.toThrow('failed at 5');
  });

  it('ends a task at the deadline and performs those behind it in another process', async () => {
    open();
    const first = await pidOf(pool.run('echo', 0));
    const hanging = pool.run('hang', null).catch((error: unknown) => error);
    const behind = pidOf(pool.run('echo', 1));

    pass(9);
    expect(pool.pids).toEqual([first]);
    pass(1);

    const error = await hanging;
    expect(error).toBeInstanceOf(UnprocessableError);
    expect(String(error)).toContain('longer than 1 seconds');
    expect(await behind).not.toBe(first);
  });

  it('does not queue a task behind a slow one while another worker may start', async () => {
    open(fixture('worker.cjs'), 2);
    const slow = await pidOf(pool.run('echo', 0));
    const hanging = pool.run('hang', null).catch((error: unknown) => error);
    const behind = pidOf(pool.run('echo', 1));
    pass(1);
    expect(await behind).not.toBe(slow);
    await pool.close();
    expect(await hanging).toBeInstanceOf(ProcessorUnavailableError);
  });

  it('leaves a process to the other group, whichever fills its own', async () => {
    open(fixture('worker.cjs'), 3, (kind) => (kind === 'echo' ? 'quick' : 'slow'));
    const first = await pidOf(pool.run('echo', 0));
    const hanging = Array.from({ length: 9 }, () => pool.run('hang', null).catch((error: unknown) => error));
    pass(1);
    const free = pool.pids.at(-1);
    expect(pool.pids).toHaveLength(2);
    const others = await Promise.all([pidOf(pool.run('echo', 1)), pidOf(pool.run('echo', 2))]);
    expect(pool.pids).toHaveLength(3);
    expect(new Set(others)).toEqual(new Set(pool.pids.slice(2)));
    expect(others).not.toContain(first);
    expect(others).not.toContain(free);
    await pool.close();
    for (const each of hanging) expect(await each).toBeInstanceOf(ProcessorUnavailableError);
  });

  it('does not blame a task sent to one worker behind a task given to another', async () => {
    open(fixture('worker.cjs'), 2);
    const first = await pidOf(pool.run('echo', 0));
    const path = join(directory, 'go-on');
    const slow = pool.run('until', path);
    pool.run('hang', null).catch(() => {});
    pass(1);
    writeFileSync(path, '');
    await slow;
    // The first worker performs the hanging task now, although it was given to the second.
    const innocent = pidOf(pool.run('echo', 1));
    pass(10);
    expect(await innocent).not.toBe(first);
  });

  it('performs a task once that no other worker was free to take over', async () => {
    open();
    const path = join(directory, 'go-on');
    const first = await pidOf(pool.run('echo', 0));
    const slow = pool.run('until', path);
    const behind = pool.run('count', null);
    pass(1);
    writeFileSync(path, '');
    await slow;
    expect(await behind).toBe(1);
    expect(await pool.run('count', null)).toBe(2);
    expect(pool.pids).toEqual([first]);
  });

  it('sends no more tasks to a worker that is about to exit', async () => {
    open();
    const before = await pidOf(pool.run('echo', 0));
    const failed = pool.run('fatal', null).catch((error: unknown) => error);
    const behind = pidOf(pool.run('echo', 1));
    expect(String(await failed)).toBe('Error: thrown outside of the promise');
    const next = pidOf(pool.run('echo', 2));
    expect(await behind).not.toBe(before);
    expect(await next).toBe(await behind);
  });

  it('performs the next task when a parser throws outside of its promise', async () => {
    open(fixture('throwing.cjs'));
    const failed = pool.run('parse', Buffer.from('Subject: Hi\r\n\r\nhi\r\n')).catch((error: unknown) => error);
    const behind = pool.run('html-links', '<a href="https://example.test/">x</a>');
    expect(String(await failed)).toContain('thrown outside of the promise');
    expect(await behind).toMatchObject({ links: [{ url: 'https://example.test/' }] });
  });

  it('gives up a task when its signal fires, ends its worker, and performs others in another', async () => {
    open();
    const before = await pidOf(pool.run('echo', 0));
    const giveUp = new AbortController();
    const hanging = pool.run('hang', null, giveUp.signal).catch((error: unknown) => error);
    giveUp.abort();
    expect(await hanging).toBeInstanceOf(ProcessorUnavailableError);
    pass(3);
    expect(pool.pids).not.toContain(before);
    expect(await pidOf(pool.run('echo', 1))).not.toBe(before);
    const late = pool.run('echo', 2, giveUp.signal);
    await expect(late).rejects.toBeInstanceOf(ProcessorUnavailableError);
  });

  it('does not end a worker that is starting when its first task is given up', async () => {
    const [entry, start] = [join(directory, 'starting.cjs'), join(directory, 'start')];
    const waiting = `while (!require('node:fs').existsSync(${JSON.stringify(start)}));`;
    writeFileSync(entry, `${waiting}\nrequire(${JSON.stringify(fixture('worker.cjs'))});`);
    open(entry);
    const giveUp = new AbortController();
    const first = pool.run('echo', 0, giveUp.signal).catch((error: unknown) => error);
    const behind = pidOf(pool.run('echo', 1));
    const [starting] = pool.pids;
    giveUp.abort();
    expect(await first).toBeInstanceOf(ProcessorUnavailableError);
    pass(5);
    writeFileSync(start, '');
    expect(await behind).toBe(starting);
  });

  it.each([
    ['exit', null, 'exit code 7'],
    ['signal', 'SIGUSR2', '256 MiB of memory'],
    ['signal', 'SIGABRT', '64 MiB of JavaScript heap'],
    ['signal', 'SIGKILL', 'ended unexpectedly (SIGKILL)'],
  ])('fails only the task that ends its worker: %s %s', async (kind, input, reason) => {
    open();
    const before = await pidOf(pool.run('echo', 0));
    const failed = pool.run(kind, input).catch((error: unknown) => error);
    const behind = [pidOf(pool.run('echo', 1)), pidOf(pool.run('echo', 2))];
    expect(await failed).toBeInstanceOf(UnprocessableError);
    expect(String(await failed)).toContain(reason);
    for (const pid of await Promise.all(behind)) expect(pid).not.toBe(before);
  });

  it('blames no task when no worker can be started', async () => {
    open(fixture('broken.cjs'));
    await expect(pool.run('echo', 1)).rejects.toBeInstanceOf(ProcessorUnavailableError);
  });

  it('ends a process that has been idle for a while', async () => {
    open();
    const first = await pidOf(pool.run('echo', 0));
    timers.fire(30_000);
    await expect.poll(() => pool.pids).toEqual([]);
    expect(await pidOf(pool.run('echo', 1))).not.toBe(first);
  });

  it('ends every process at once when it is closed, whatever it does', async () => {
    open();
    await pool.run('echo', 0);
    const [pid = 0] = pool.pids;
    const hanging = pool.run('hang', null).catch((error: unknown) => error);
    await pool.close();
    expect(await hanging).toBeInstanceOf(ProcessorUnavailableError);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    await expect(pool.run('echo', 1)).rejects.toBeInstanceOf(ProcessorUnavailableError);
  });
});
