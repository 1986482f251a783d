import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { UnprocessableError } from '../../src/core/ports.js';
import { createProcessing } from '../../src/mime/processing.js';
import { WorkerPool } from '../../src/mime/worker/pool.js';
import { WorkerProcess } from '../../src/mime/worker/worker-process.js';
import { ROOT } from '../support/cli/binary.js';
import { ManualTimers } from '../support/servers/manual-timers.js';

const HANGING = join(ROOT, 'test/fixtures/workers/hanging.cjs');
const MEBIBYTE = 1024 * 1024;

describe('a worker', () => {
  let pool: WorkerPool;
  afterEach(() => pool.close());

  it('is ended when a message takes more memory than the limit', async () => {
    pool = new WorkerPool({
      clock: new ManualTimers(),
      entry: join(ROOT, 'bin/worker.js'),
      size: 1,
      deadlineMs: 60_000,
      cpuMs: 60_000,
      idleMs: 30_000,
      memoryBytes: 128 * MEBIBYTE,
      heapMegabytes: 256,
    });
    const head = 'Subject: large\r\nContent-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n';
    const large = Buffer.from(head + `${'QUJD'.repeat(19)}\r\n`.repeat((38 * MEBIBYTE) / 78));

    const error = await pool.run('parse', large).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(UnprocessableError);
    expect(String(error)).toContain('128 MiB of memory');
    expect(await pool.run('parse', Buffer.from('Subject: small\r\n\r\nhi\r\n'))).toMatchObject({
      content: { subject: 'small' },
    });
  });
});

describe('a worker that takes long', () => {
  it('is ended when a message takes more CPU time than the limit', async () => {
    const { parser, close } = createProcessing({ clock: new ManualTimers(), cpuMs: 100 });
    const large = Buffer.from(`Subject: large\r\n\r\n${'word '.repeat(15)}\r\n`.repeat(200_000));

    const error = await parser.parse(large).catch((failure: unknown) => failure);
    await close();
    expect(error).toBeInstanceOf(UnprocessableError);
    expect(String(error)).toContain('more than 0.1 seconds of CPU time');
  });

  it('is kept for a minute when it gets no CPU time', async () => {
    const send = vi.spyOn(WorkerProcess.prototype, 'send');
    const timers = new ManualTimers();
    const { parser, close } = createProcessing({ clock: timers, entry: HANGING });
    let isOver = false;
    const parsed = parser.parse(Buffer.from('Subject: Hi\r\n\r\nHi\r\n')).catch((error: unknown) => {
      isOver = true;
      return error;
    });
    await expect.poll(() => send.mock.contexts.length).toBe(1);
    await (send.mock.contexts[0] as WorkerProcess).ready;

    for (let tick = 0; tick < 590; tick += 1) timers.fire(100);
    await new Promise(setImmediate);
    expect(isOver).toBe(false);
    for (let tick = 0; tick < 10; tick += 1) timers.fire(100);

    expect(String(await parsed)).toContain('longer than 60 seconds');
    await close();
  });
});

describe('a worker whose heap is full', () => {
  it('fails its task with that reason', async () => {
    const pool = new WorkerPool({
      clock: new ManualTimers(),
      entry: join(ROOT, 'bin/worker.js'),
      size: 1,
      deadlineMs: 60_000,
      cpuMs: 60_000,
      idleMs: 30_000,
      memoryBytes: 1024 * MEBIBYTE,
      heapMegabytes: 32,
    });
    const error = await pool.run('html-links', '<a>'.repeat(30 * MEBIBYTE)).catch((failure: unknown) => failure);
    await pool.close();
    expect(error).toBeInstanceOf(UnprocessableError);
    expect(String(error)).toContain('32 MiB of JavaScript heap');
  });
});

/** Documents the reason for processes: if this ever fails, reconsider threads. */
describe('a thread of Node', () => {
  it('exceeds its resource limits with buffers, which they do not count', () => {
    const program = `
      const { Worker } = require('node:worker_threads');
      const source = "const all = []; for (let n = 0; n < 20; n += 1) all.push(Buffer.alloc(8 * 1024 * 1024, 1));"
        + "require('node:worker_threads').parentPort.postMessage(all.length * 8)";
      const worker = new Worker(source, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 32 } });
      worker.on('message', (megabytes) => console.log(megabytes));
      worker.on('error', (error) => console.log(error.code));
    `;
    const { stdout } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
    expect(stdout.trim()).toBe('160');
  });
});
