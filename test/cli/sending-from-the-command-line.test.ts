import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevServer, startDev, svc, temporaryDirectory } from '../support/binary.js';
import { data } from '../support/server-calls.js';

describe('sending from the command line', () => {
  const folder = temporaryDirectory();
  const dataDir = ['--data-dir', join(folder.path, 'data')];
  let dev: DevServer;

  beforeAll(async () => {
    dev = await startDev(dataDir);
    const subject = 'Hi {{name}}';
    await succeed(['templates', 'create', '--name', 'hi', '--subject', subject, '--html', '<p>{{name}}, {{age}}</p>']);
  });

  afterAll(async () => {
    await dev.stop();
    folder.remove();
  });

  // biome-ignore lint/suspicious/noExplicitAny: whatever the command prints
  async function succeed(args: string[], input = ''): Promise<any> {
    const { code, stdout, stderr } = await svc([...args, ...dataDir, '--json'], { cwd: folder.path, input });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout);
  }

  const send = (...args: string[]) => succeed(['emails', 'send', '--to', 'ada@example.test', ...args]);
  const detail = ({ id }: { id: string }) => data(dev.ready, `/v1/emails/${id}`);

  it('renders a template by its name, with variables from a file and from flags', async () => {
    writeFileSync(join(folder.path, 'vars.json'), '{"name":"Bob","age":36}');

    const sent = await send('--template', 'hi', '--vars', '@vars.json', '--var', 'name=Ada & co');

    expect(await detail(sent)).toMatchObject({
      subject: 'Hi Ada & co',
      html: '<p>Ada &amp; co, 36</p>',
      variables: { name: 'Ada & co', age: 36 },
      template_id: expect.stringMatching(/^tpl_/),
    });
  });

  it('schedules relative to the service’s own time', async () => {
    await succeed(['dev', 'clock', 'freeze']);
    const { now } = await succeed(['dev', 'clock', 'advance', '30d']);

    const sent = await send('--schedule', '2h');

    expect(sent).toMatchObject({ status: 'scheduled' });
    expect(Date.parse(sent.scheduled_at) - Date.parse(now)).toBe(2 * 3_600_000);
    const other = await send('--scheduled-at', sent.scheduled_at);
    expect(other.scheduled_at).toBe(sent.scheduled_at);
  });

  it('sends a whole request from a pipe, with flags over its fields and nothing made up', async () => {
    const request = { to: 'a@example.test', from: 'b@example.test', subject: 'one', html: '<p>1</p>', tags: ['x'] };

    const sent = await succeed(['emails', 'send', '--data', '-', '--subject', 'two'], JSON.stringify(request));

    expect(await detail(sent)).toMatchObject({ to: 'a@example.test', subject: 'two', tags: ['x'], text: '' });
  });

  it('shows the request and sends nothing with --dry-run, and never the key', async () => {
    const before = (await data(dev.ready, '/v1/emails')).pagination.total;

    const { stdout } = await svc([
      ...['emails', 'send', '--to', 'ada@example.test', '--template', 'hi', '--var', 'name=Ada', '--no-track-opens'],
      ...['--no-track-clicks', '--dry-run', ...dataDir],
    ]);

    expect(JSON.parse(stdout)).toEqual({
      method: 'POST',
      url: `${dev.ready.base_url}/emails`,
      body: {
        to: ['ada@example.test'],
        from: expect.any(String),
        template_id: expect.stringMatching(/^tpl_/),
        variables: { name: 'Ada' },
        track_opens: false,
        track_clicks: false,
      },
    });
    expect(stdout).not.toContain(dev.ready.api_key);
    expect((await data(dev.ready, '/v1/emails')).pagination.total).toBe(before);
  });

  it.each<[string, string[], RegExp]>([
    ['no recipient and no request', ['--subject', 'x'], /Missing required flag --to/],
    [
      'two that read stdin',
      ['--to', 'a@example.test', '--vars', '-', '--text-file', '-'],
      /Only one of .* can read stdin/,
    ],
    ['a request that is not JSON', ['--data', '{"to":'], /--data is not JSON/],
    ['a request that is a list', ['--data', '@list.json'], /list\.json must hold a JSON object/],
    ['a template and HTML', ['--to', 'a@example.test', '--template', 'hi', '--html', 'x'], /cannot also be provided/],
  ])('refuses %s', async (_, args, says) => {
    writeFileSync(join(folder.path, 'list.json'), '[]');

    const { code, stdout, stderr } = await svc(['emails', 'send', ...args, ...dataDir], { cwd: folder.path });

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(says);
  });

  it('names the nearest template when there is none of that name', async () => {
    const { code, stderr } = await svc(['emails', 'send', '--to', 'a@example.test', '--template', 'hj', ...dataDir]);

    expect(code).toBe(1);
    expect(stderr).toContain('Did you mean "hi"?');
  });
});
