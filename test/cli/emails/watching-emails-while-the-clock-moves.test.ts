import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterEach, expect, it } from 'vitest';
import { start, svc } from '../../support/cli/binary.js';
import { folderOfEachTest } from '../../support/each-test.js';

const folder = folderOfEachTest();
let watching: ChildProcess;

afterEach(() => {
  watching.kill('SIGKILL');
});

it('emails list --watch shows an email after time was set back', async () => {
  await folder.startServer();
  await run(['dev', 'clock', 'advance', '1d']);
  await run(['emails', 'send', '--to', 'first@example.test']);
  const next = await watch();

  await run(['dev', 'clock', 'reset']);
  await run(['emails', 'send', '--to', 'second@example.test']);
  expect(await next()).toMatchObject({ to: 'second@example.test' });

  // No known email is left.
  await run(['dev', 'reset', '--yes']);
  await run(['emails', 'send', '--to', 'third@example.test']);
  expect(await next()).toMatchObject({ to: 'third@example.test' });
});

// Well before the next keep-alive of the event stream, which comes after 15 s.
it('emails list --watch shows a scheduled email, which has no event yet', async () => {
  await folder.startServer();
  const next = await watch();

  await run(['emails', 'send', '--to', 'later@example.test', '--schedule', '2h']);

  expect(await next()).toMatchObject({ to: 'later@example.test', status: 'scheduled' });
});

it('emails list --watch shows an email that a query finds by its later event', async () => {
  await folder.startServer();
  await run(['emails', 'send', '--to', 'reader@example.test']);
  const next = await watch(['--search', 'event:email.opened']);

  await run(['emails', 'simulate', 'latest', 'opened']);

  expect(await next()).toMatchObject({ to: 'reader@example.test' });
});

async function run(args: string[]): Promise<void> {
  const { code, stderr } = await svc([...args, '--data-dir', folder.path]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
}

/** Starts watching, and returns a function that reads one line after another. */
async function watch(flags: string[] = []): Promise<() => Promise<unknown>> {
  watching = start(['emails', 'list', '--watch', '--json', '--data-dir', folder.path, ...flags]);
  const lines = createInterface({ input: watching.stdout! })[Symbol.asyncIterator]();
  const messages = createInterface({ input: watching.stderr! })[Symbol.asyncIterator]();
  expect((await messages.next()).value).toContain('Waiting for emails');
  return async () => JSON.parse((await lines.next()).value);
}
