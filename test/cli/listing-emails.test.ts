import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BINARY, type DevServer, startDev, svc } from '../support/binary.js';
import { answers, refuses, type ScriptedServer, startScripted } from '../support/scripted-server.js';
import { request } from '../support/server-calls.js';

const COUNT = 130;

describe.each([
  ['a local server', []],
  ['a service without a control API', ['--no-control']],
])('listing the emails of %s', (_, kind) => {
  const children: ReturnType<typeof spawn>[] = [];
  let dev: DevServer;
  let target: string[];
  let remote: ScriptedServer | undefined;

  beforeAll(async () => {
    dev = await startDev(['--in-memory', '--plan', 'none', ...kind]);
    target = ['--base-url', dev.ready.base_url, '--api-key', dev.ready.api_key];
    for (let n = 0; n < COUNT; n += 1) await send(`${n}@example.test`);
  });

  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await remote?.close();
    remote = undefined;
  });

  afterAll(() => dev.stop());

  async function send(to: string): Promise<string> {
    const body = JSON.stringify({ to, from: 'b@example.test', subject: 's', html: 'h' });
    const headers = { 'content-type': 'application/json' };
    const response = await request(dev.ready, '/v1/emails', { method: 'POST', headers, body });
    return ((await response.json()) as { data: { id: string } }).data.id;
  }

  it('prints every one with --all, in the shape of one page', async () => {
    const { code, stdout } = await svc(['emails', 'list', '--all', '--json', ...target]);

    expect(code).toBe(0);
    const { emails, pagination } = JSON.parse(stdout);
    expect(new Set(emails.map(({ id }: { id: string }) => id)).size).toBe(COUNT);
    expect(emails[0]).toMatchObject({ to: `${COUNT - 1}@example.test` });
    expect(pagination).toEqual({ total: COUNT, limit: 100, offset: 0, has_more: false });
  });

  it('prints every one as rows under one header', async () => {
    const { stdout } = await svc(['emails', 'list', '--all', ...target]);

    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(COUNT + 1);
    expect(lines[0]).toMatch(/^ID +STATUS +CREATED +TO +SUBJECT$/);
    expect(new Set(lines.map((line) => line.search(/\S+@|TO /))).size).toBe(1);
  });

  it('prints valid JSON when there is nothing', async () => {
    const { stdout } = await svc(['emails', 'list', '--all', '--status', 'bounced', '--json', ...target]);

    expect(JSON.parse(stdout)).toMatchObject({ emails: [], pagination: { total: 0, has_more: false } });
  });

  it('neither repeats nor leaves out what stays while the list changes', async () => {
    const page = (ids: number[], offset: number, total: number) =>
      answers({
        emails: ids.map((n) => ({ id: `msg_${n}`, status: 'sent', created_at: 'x', to: 'a', subject: 's' })),
        pagination: { total, limit: 100, offset, has_more: offset + ids.length < total },
      });
    // One is added at the head after the first page, and then the first two go away.
    remote = await startScripted([page([9, 8, 7], 0, 6), page([7, 6, 5], 3, 7), page([4], 6, 5), page([5, 4], 4, 5)]);

    const { stdout } = await svc(['emails', 'list', '--all', '--json', '--base-url', remote.baseUrl, '--api-key', 'k']);

    expect(JSON.parse(stdout).emails.map(({ id }: { id: string }) => id)).toEqual(
      [9, 8, 7, 6, 5, 4].map((n) => `msg_${n}`),
    );
  });

  it('leaves stdout empty when the first page is refused', async () => {
    const { code, stdout } = await svc(['emails', 'list', '--all', '--since', 'yesterday', '--json', ...target]);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  });

  it('follows with --watch', async () => {
    const watching = await watch(target);

    const first = await send('first@example.test');
    const second = await send('second@example.test');

    expect(await watching.next()).toMatchObject({ id: first, to: 'first@example.test' });
    expect(await watching.next()).toMatchObject({ id: second });
  });

  it('follows what the filters let through', async () => {
    const watching = await watch(['--to', 'wanted@example.test', ...target]);

    await send('other@example.test');
    const wanted = await send('wanted@example.test');

    expect(await watching.next()).toMatchObject({ id: wanted });
  });

  it('asks again and again where there is no event stream', async () => {
    const email = (n: number) => ({ id: `msg_${n}`, created_at: `2026-03-01T12:00:0${n}.000Z`, to: 'a', subject: 's' });
    const lists = [[email(1)], [email(1)], [email(3), email(2), email(1)]];
    let asked = 0;
    remote = await startScripted([
      (response, { path }) => {
        if (!path.startsWith('/v1/')) return refuses(404, 'not_found')(response, {} as never);
        const emails = lists[Math.min(asked++, lists.length - 1)] ?? [];
        answers({ emails, pagination: { total: emails.length, limit: 100, offset: 0, has_more: false } })(
          response,
          {} as never,
        );
      },
    ]);

    const watching = await watch(['--base-url', remote.baseUrl, '--api-key', 'k']);

    expect([await watching.next(), await watching.next()]).toMatchObject([{ id: 'msg_2' }, { id: 'msg_3' }]);
  });

  /** Resolves once nothing new can be missed. */
  async function watch(args: string[]) {
    const child = spawn(process.execPath, [BINARY, 'emails', 'list', '--watch', ...args, '--json'], { stdio: 'pipe' });
    children.push(child);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const ready = createInterface({ input: child.stderr })[Symbol.asyncIterator]();
    expect((await ready.next()).value).toContain('Waiting for emails');
    return { next: async () => JSON.parse((await lines.next()).value) };
  }
});
