import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { WorkerPool } from '../../src/mime/worker/pool.js';
import { ROOT } from '../support/cli/binary.js';
import { ManualTimers } from '../support/servers/manual-timers.js';

/** Not in the simple form that the server parses itself. */
const COMPLEX = 'From: a@x.test\r\nSubject: =?utf-8?q?caf=C3=A9?=\r\n\r\nhi\r\n';
/** The parser's source has several hundred kB; the message and its answer have less than 1 kB. */
const UNREAD_BYTES = 20_000;

describe.runIf(process.platform === 'linux')('a worker that reports that it is ready', () => {
  let pool: WorkerPool;
  afterEach(() => pool.close());

  it('has loaded the parser', async () => {
    pool = new WorkerPool({
      clock: new ManualTimers(),
      entry: join(ROOT, 'bin/worker.js'),
      size: 1,
      preload: 'parse',
      deadlineMs: 60_000,
      cpuMs: 60_000,
      idleMs: 60_000,
      memoryBytes: 512 * 1024 * 1024,
      heapMegabytes: 256,
    });
    // Performed once the worker is ready. It needs no parser.
    await pool.run('envelope', Buffer.from(COMPLEX));
    const before = bytesRead();
    expect(await pool.run('parse', Buffer.from(COMPLEX))).toMatchObject({ content: { subject: 'café' } });
    expect(bytesRead() - before).toBeLessThan(UNREAD_BYTES);
  });

  /** Returns the number of bytes that the worker has read from files and from its connection. */
  function bytesRead(): number {
    const [pid = 0] = pool.pids;
    return Number(/^rchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);
  }
});
