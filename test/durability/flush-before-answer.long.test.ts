import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DevServer, startDev, temporaryDirectory } from '../support/cli/binary.js';
import { skippedBecause, skippedWithout } from '../support/cli/tools.js';
import { sendBySmtp } from './load.js';

/**
 * Tests the system calls for an acknowledged message, with strace: a SIGKILL cannot show what a power cut would leave.
 */

const mayTrace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;
const skipped = skippedWithout('strace') || (mayTrace ? '' : skippedBecause('this user may not trace a process'));

describe.skipIf(skipped)(`a commit is flushed${skipped}`, () => {
  let directory: ReturnType<typeof temporaryDirectory>;
  let server: DevServer;

  beforeEach(async () => {
    directory = temporaryDirectory();
    server = await startDev(['--data-dir', join(directory.path, 'data')]);
  });
  afterEach(async () => {
    await server.stop();
    directory.remove();
  });

  it('before the server acknowledges the message', async () => {
    const calls = await traced(['-e', 'trace=pwrite64,fdatasync,write,writev'], () => sendOne('kept'));
    const answered = calls.findIndex((call) =>
      /writev?\(.*"250 OK: queued|writev?\(.*"250 2\.6\.0 OK: queued/.test(call),
    );
    const written = calls.findLastIndex((call, index) => index < answered && /pwrite64\(.*mail\.db-wal/.test(call));
    const flushed = calls.findIndex((call, index) => index > written && /fdatasync.*= 0$/.test(call));
    expect(written, calls.join('\n')).toBeGreaterThan(-1);
    expect(flushed, calls.join('\n')).toBeGreaterThan(written);
    expect(answered, calls.join('\n')).toBeGreaterThan(flushed);
  });

  it('or the server reports that it is not safe, and accepts the next one when the disk works again', async () => {
    const codes: string[] = [];
    await traced(['-e', 'trace=fdatasync', '-e', 'inject=fdatasync:error=EIO'], async () => {
      codes.push(await sendOne('lost?'));
    });
    codes.push(await sendOne('kept'));
    expect(codes).toEqual(['refused 451', 'acknowledged']);
  });

  async function sendOne(subject: string): Promise<string> {
    const mails = [{ subject, recipients: ['ada@example.test'] }];
    let reply = 'nothing';
    await sendBySmtp(server.ready, {
      next: () => mails.pop(),
      acknowledged: () => {
        reply = 'acknowledged';
      },
      refused: (_, code) => {
        reply = `refused ${code}`;
      },
    });
    return reply;
  }

  /** Returns the system calls of the server, one per line, while some work is done. */
  async function traced(options: string[], work: () => Promise<unknown>): Promise<string[]> {
    const file = join(directory.path, 'trace');
    const strace = spawn('strace', ['-f', '-y', '-s', '60', '-o', file, ...options, '-p', String(server.ready.pid)], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const exited = once(strace, 'exit');
    for await (const line of createInterface({ input: strace.stderr })) if (line.includes('attached')) break;
    await work();
    strace.kill('SIGINT');
    await exited;
    return readFileSync(file, 'utf8').split('\n');
  }
});
