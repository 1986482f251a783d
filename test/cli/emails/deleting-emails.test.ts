import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDev, svc, temporaryDirectory } from '../../support/cli/binary.js';

describe('svc emails delete', () => {
  const folder = temporaryDirectory();
  const dataDir = ['--data-dir', join(folder.path, 'data')];
  let dev: Awaited<ReturnType<typeof startDev>>;

  beforeAll(async () => {
    dev = await startDev([...dataDir, '--keep', '3']);
  });
  afterAll(async () => {
    await dev.stop();
    folder.remove();
  });

  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(new URL(path, dev.ready.base_url), {
      method,
      headers: { authorization: `Bearer ${dev.ready.api_key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire carries, types would promise what they check
    return ((await response.json()) as { data: any }).data;
  };
  const send = (to: string) =>
    call('POST', '/v1/emails', { to, from: 'app@example.test', subject: 'Hi', html: '<p>Hi</p>' });

  it('counts the emails, needs a confirmation, and deletes several at once', async () => {
    const [one, two] = [await send('ada@example.test'), await send('bob@example.test')];
    const args = ['emails', 'delete', one.id, two.id, ...dataDir];

    const asked = await svc(args);
    expect(asked).toMatchObject({ code: 2, stdout: '' });
    expect(asked.stderr).toContain('Pass --yes to delete 2 emails on ');

    const unknown = await svc(['emails', 'delete', one.id, 'msg_none', '--yes', ...dataDir]);
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toContain('Email "msg_none" not found.\nNothing was changed.');

    expect(await svc([...args, '--yes', '--json'])).toMatchObject({ code: 0, stdout: '{"deleted":2}\n' });
    expect((await call('GET', '/v1/emails')).emails).toEqual([]);
  });

  it('opens an email as read, and the server keeps the newest', async () => {
    for (const name of ['ada', 'bob', 'cyd', 'dan']) await send(`${name}@example.test`);
    await expect.poll(async () => (await call('GET', '/v1/emails')).pagination.total).toBe(3);
    expect((await call('GET', '/_svc/info')).retention).toEqual({ keep: 3, max_age: null, keep_if: null });

    const env = { BROWSER: 'true', TMPDIR: folder.path };
    expect((await svc(['emails', 'open', ...dataDir], { env })).code).toBe(0);
    const { emails } = await call('GET', '/_svc/emails?search=is:unread');
    expect(emails.map(({ to }: { to: string }) => to)).toEqual(['cyd@example.test', 'bob@example.test']);
  });
});
