import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { INLINE_CHARACTERS } from '../../../src/mime/processing.js';
import { WorkerPool } from '../../../src/mime/worker/pool.js';
import { ROOT, temporaryDirectory } from '../../support/cli/binary.js';
import { eventsOf } from '../../support/mail/delivered.js';
import { startApp } from '../../support/servers/app.js';
import { send } from '../../support/simulation.js';

/** Accepts a task and never ends it. */
const HANGING = join(ROOT, 'test/fixtures/workers/hanging.cjs');
const ANY_PORT = { http: { host: '127.0.0.1', port: 0 }, smtp: { host: '127.0.0.1', port: 0 } };
const LINK = 'https://shop.test/order';
/** Large enough to be processed by a worker. */
const HTML = `<a href="${LINK}">your order</a>${'<p>x</p>'.repeat(INLINE_CHARACTERS / 8)}`;

let directory: ReturnType<typeof temporaryDirectory>;
beforeEach(() => {
  directory = temporaryDirectory();
});
afterEach(() => {
  vi.restoreAllMocks();
  directory.remove();
});

it('a stop leaves a click to the next start, which clicks the link of the email', async () => {
  const storage = { file: join(directory.path, 'mail.db') };
  const run = vi.spyOn(WorkerPool.prototype, 'run');
  const first = await startApp({ storage, processing: { entry: HANGING, deadlineMs: 600_000 } });
  await first.listen(ANY_PORT);
  const id = await send(first, 'clicked@simulator.test', { html: HTML });
  await expect.poll(() => run.mock.calls.length).toBe(1);
  await first.closeClean();

  const second = await startApp({ storage });
  expect(await eventsOf(second, id, 'email.clicked')).toEqual([]);
  await second.drain();
  expect(await eventsOf(second, id, 'email.clicked')).toMatchObject([{ url: LINK }]);
  await second.closeClean();
});
