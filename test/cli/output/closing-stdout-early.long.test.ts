import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { type Ready, start, text } from '../../support/cli/binary.js';
import { folderOfEachTest } from '../../support/each-test.js';
import { data, request } from '../../support/servers/server-calls.js';

/**
 * Tests a program that starts svc with its output as a pipe, reads the beginning, and then stops reading, as a test
 * harness may.
 */

/** Filling a pipe with events takes half a minute on a busy machine. */
const PIPE_MS = 180_000;

/** A stop is promised within a second; one that waits for a reader would never end. */
const STOP_MS = 5_000;
/** Several times what a pipe holds, as events. */
const MAILS = 1;
/** The same as lines of emails. */
const WATCHED_MAILS = 4;
const RECIPIENTS = 500;
const LONG = 'x'.repeat(60);
/** The same as lines of requests. */
const REQUESTS = 400;

describe('output that is no longer read', () => {
  const folder = folderOfEachTest();
  const children: ChildProcess[] = [];

  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  it('svc dev exits promptly', async () => {
    const { child, first } = await startUnread(['dev', '--http-port', '0', '--smtp-port', '0', '--json'], 'stdout');
    await cause(JSON.parse(first) as Ready);

    expect(await stop(child)).toEqual([0, null]);
  });

  it('svc dev prints every event to a reader that resumes', async () => {
    const { child, first } = await startUnread(['dev', '--http-port', '0', '--smtp-port', '0', '--json'], 'stdout');
    const { base_url, api_key } = JSON.parse(first) as Ready;
    await cause({ base_url, api_key });
    const { last_event } = await data({ base_url, api_key }, '/_svc/info');

    child.kill('SIGTERM');
    const lines = (await text(child.stdout))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const events = lines.filter((line) => !('warning' in line));

    expect(new Set(events.map(({ id }) => id)).size).toBe(last_event);
    expect(events).toHaveLength(last_event);
  });

  it.each([
    ['webhooks listen', ['webhooks', 'listen', '--forward-to', 'http://127.0.0.1:9/', '--json'], 'stdout', MAILS, 0],
    ['emails list --watch', ['emails', 'list', '--watch', '--json'], 'stderr', WATCHED_MAILS, 0],
    ['logs tail', ['logs', 'tail', '--json'], 'stderr', 0, REQUESTS],
  ] as const)(
    'svc %s exits promptly',
    async (_, args, stream, mails, requests) => {
      const { ready } = await folder.startServer();
      const { child } = await startUnread([...args], stream);
      await cause(ready, mails, requests);
      // Its pipe is full, as far as this process can see.
      while (child.stdout!.readableLength < child.stdout!.readableHighWaterMark) await once(child.stdout!, 'readable');

      expect(await stop(child)).toEqual([143, null]);
    },
    PIPE_MS,
  );

  /** Starts the binary and reads until it has printed the first output. */
  async function startUnread(args: string[], tellsOn: 'stdout' | 'stderr') {
    const child = start(args, { env: { SVC_DATA_DIR: folder.path } });
    children.push(child);
    await once(child[tellsOn]!, 'readable');
    return { child, first: String(child[tellsOn]!.read()) };
  }

  async function stop(child: ChildProcess) {
    const exited = once(child, 'exit', { signal: AbortSignal.timeout(STOP_MS) });
    child.kill('SIGTERM');
    return exited;
  }

  /** Creates emails with their events, and requests. */
  async function cause(ready: Pick<Ready, 'base_url' | 'api_key'>, mails = MAILS, requests = 0): Promise<void> {
    const post = (path: string, body: unknown) =>
      data(ready, path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const to = Array.from({ length: RECIPIENTS }, (_, index) => `u${index}@${LONG}.${LONG}.${LONG}.test`);
    for (let mail = 0; mail < mails; mail += 1) {
      await post('/v1/emails', { to, from: 'app@example.test', subject: 's', html: 'h' });
    }
    const paths = Array.from({ length: requests }, (_, index) => `/v1/emails/${index}${LONG.repeat(8)}`);
    await Promise.all(paths.map((path) => request(ready, path)));
    // Past the delivery delay. Returns when all due work is done.
    await post('/_svc/clock/advance', { by: '1s' });
  }
});
