import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import type { AppOptions } from '../../../src/app/app.js';
import { WorkerPool } from '../../../src/mime/worker/pool.js';
import { ROOT } from '../../support/cli/binary.js';
import { type Serving, startServing } from '../../support/faults/serving.js';
import { deliver, queuedId } from '../../support/mail/smtp-session.js';

/** Tests that a fault with a query sees the message as it was parsed, and does not parse it again. */

const HANGING = join(ROOT, 'test/fixtures/workers/hanging-parser.cjs');
const complex = (subject: string, body: string) =>
  `From: Shop <a@example.test>\r\nTo: ada@example.test\r\nSubject: =?utf-8?q?${subject}?=\r\n\r\n${body}\r\n`;

let serving: Serving;
afterEach(async () => {
  vi.restoreAllMocks();
  await serving.app.closeClean();
});

async function start(options: Partial<AppOptions>) {
  serving = await startServing(options);
  return (message: string) => deliver(serving.smtp, message);
}

it('parses a message once', async () => {
  const run = vi.spyOn(WorkerPool.prototype, 'run');
  const send = await start({ parsingLimitMs: 30_000 });
  await serving.add({ smtp: 'end', match: 'text:invoice', code: 452 });
  expect(await send(complex('Hi', 'Your invoice'))).toMatch(/^452 .*\(injected by svc\)/);
  expect(queuedId(await send(complex('Hi', 'Hello')))).toBeDefined();
  expect(run.mock.calls.filter(([kind]) => kind === 'parse')).toHaveLength(2);
});

it('does not wait for a message that takes long to parse, and knows the fields of its header', async () => {
  const send = await start({ processing: { entry: HANGING, deadlineMs: 600_000 }, parsingLimitMs: 50 });
  await serving.add({ smtp: 'end', match: 'subject:refused', code: 452 });
  await serving.add({ smtp: 'end', match: 'text:hello', code: 451 });
  expect(await send(complex('refused', 'hello'))).toMatch(/^452 .*\(injected by svc\)/);
  expect(queuedId(await send(complex('taken', 'hello')))).toBeDefined();
});
