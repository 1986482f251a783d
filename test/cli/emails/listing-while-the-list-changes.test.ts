import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { BINARY, start, svc } from '../../support/cli/binary.js';
import { openTerminal } from '../../support/cli/terminal/terminal.js';
import { answers, refuses, type ScriptedServer, startScripted } from '../../support/servers/scripted-server.js';

/** Tests lists of a service whose emails come and go between two pages, or between two requests. */

describe('listing emails while the list changes', () => {
  let remote: ScriptedServer;

  afterEach(() => remote.close());

  const named = () => ['--base-url', remote.baseUrl, '--api-key', 'svc_test_x'];

  it('neither repeats nor omits emails that stay', async () => {
    const page = (ids: number[], offset: number, total: number) =>
      answers({
        emails: ids.map((n) => ({ id: `msg_${n}`, status: 'sent', created_at: 'x', to: 'a', subject: 's' })),
        pagination: { total, limit: 100, offset, has_more: offset + ids.length < total },
      });
    // One is added at the head after the first page, and then the first two are removed.
    remote = await startScripted([page([9, 8, 7], 0, 6), page([7, 6, 5], 3, 7), page([4], 6, 5), page([5, 4], 4, 5)]);

    const { stdout } = await svc(['emails', 'list', '--all', ...named(), '--json']);

    expect(JSON.parse(stdout).emails.map(({ id }: { id: string }) => id)).toEqual(
      [9, 8, 7, 6, 5, 4].map((n) => `msg_${n}`),
    );
  });

  /** Starts a service whose list of emails grows, and which has no event stream. */
  async function serveGrowingList(): Promise<void> {
    const email = (n: number) => ({ id: `msg_${n}`, created_at: `2026-03-01T12:00:0${n}.000Z`, to: 'a', subject: 's' });
    const lists = [[email(1)], [email(1)], [email(3), email(2), email(1)]];
    let asked = 0;
    remote = await startScripted([
      (response, request) => {
        if (!request.path.startsWith('/v1/')) return refuses(404, 'not_found')(response, request);
        const emails = lists[Math.min(asked++, lists.length - 1)] ?? [];
        const pagination = { total: emails.length, limit: 100, offset: 0, has_more: false };
        answers({ emails, pagination })(response, request);
      },
    ]);
  }

  it('polls, the newest last, without an event stream', async () => {
    await serveGrowingList();

    const child = start(['emails', 'list', '--watch', ...named(), '--json']);
    const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();

    expect(JSON.parse((await lines.next()).value)).toMatchObject({ id: 'msg_2' });
    expect(JSON.parse((await lines.next()).value)).toMatchObject({ id: 'msg_3' });
    child.kill('SIGKILL');
  });

  it('shows the time of day of new emails on a terminal of 80 columns', async () => {
    await serveGrowingList();
    const command = [process.execPath, BINARY, 'emails', 'list', '--watch', ...named()];

    const terminal = await openTerminal(command, { columns: 80, env: { TZ: 'Asia/Kolkata' } });

    try {
      expect(await terminal.until(/^msg_3 /m)).toMatch(/^msg_2 .* 17:30:02.*\nmsg_3 .* 17:30:03/m);
    } finally {
      await terminal.close();
    }
  });
});
