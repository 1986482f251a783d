import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { onEveryLocalServer, onEveryServer } from '../../support/servers/service.js';

const REQUEST = { to: 'a@example.test', from: 'b@example.test', subject: 'one', html: '<p>1</p>', tags: ['x'] };

onEveryServer('sending from the command line', ({ run, data, folder, kind }) => {
  beforeAll(async () => {
    const hi = ['--name', 'hi', '--subject', 'Hi {{name}}', '--html', '<p>{{name}}, {{age}}</p>'];
    await data(['templates', 'create', ...hi]);
  });

  const template = ['emails', 'send', '--to', 'ada@example.test', '--from', 'a@example.test', '--template', 'hi'];

  it('renders a template by its name, with variables from a file and from flags', async () => {
    writeFileSync(join(folder, 'vars.json'), '{"name":"Bob","age":36}');

    const { id } = await data([...template, '--vars', '@vars.json', '--var', 'name=Ada & co']);

    expect(await data(['emails', 'get', id])).toMatchObject({
      subject: 'Hi Ada & co',
      html: '<p>Ada &amp; co, 36</p>',
      variables: { name: 'Ada & co', age: 36 },
      template_id: expect.stringMatching(/^tpl_/),
    });
  });

  it('sends a whole request from a pipe, with flags over its fields and no default values', async () => {
    const input = JSON.stringify(REQUEST);

    const { id } = await data(['emails', 'send', '--data', '-', '--subject', 'two'], { input });

    const sent = await data(['emails', 'get', id]);
    expect(sent).toMatchObject({ to: 'a@example.test', subject: 'two', tags: ['x'], text: '' });
  });

  it('shows the request and sends nothing with --dry-run, and never shows the key', async () => {
    const flags = ['--to', 'nobody@example.test', '--var', 'name=Ada', '--no-track-opens', '--no-track-clicks'];

    const { stdout } = await run([...template, ...flags, '--dry-run']);

    expect(JSON.parse(stdout)).toEqual({
      method: 'POST',
      url: expect.stringMatching(/^http.*\/v1\/emails$/),
      body: {
        to: ['ada@example.test', 'nobody@example.test'],
        from: 'a@example.test',
        template_id: expect.stringMatching(/^tpl_/),
        variables: { name: 'Ada' },
        track_opens: false,
        track_clicks: false,
      },
    });
    expect(stdout).not.toMatch(/svc_(test|live)_/);
    expect((await data(['emails', 'list', '--to', 'nobody@example.test'])).emails).toEqual([]);
  });

  it('fills in a sample on a local server, and nothing on a real one', async () => {
    const { code, stderr } = await run(['emails', 'send', '--to', 'ada@example.test']);

    expect(code, stderr).toBe(kind === 'remote' ? 2 : 0);
    if (kind === 'remote') expect(stderr).toContain('needs --from, --subject');
  });

  it('reports the fields that the server ignored', async () => {
    const send = (...flags: string[]) =>
      run(['emails', 'send', '--data', '-', ...flags], { input: JSON.stringify({ ...REQUEST, schedled_at: 'x' }) });

    expect((await send()).stderr).toMatch(/^warning: schedled_at: is not a field.*scheduled_at/m);

    const { code, stdout, stderr } = await send('--json');
    expect({ code, sent: JSON.parse(stdout) }).toMatchObject({ code: 0, sent: { subject: 'one' } });
    expect(JSON.parse(stderr)).toEqual({ warning: { message: expect.stringContaining('schedled_at') } });
  });

  it.each(['--var=name=Ada', '--vars={"name":"Ada"}'])('refuses %s without a template', async (flag) => {
    const { code, stderr } = await run(['emails', 'send', '--to', 'a@example.test', flag]);

    expect(code).toBe(2);
    expect(stderr).toContain('--var and --vars require a template.\nPass it with --template.\n');
  });

  it('suggests the nearest template when the name does not exist', async () => {
    const { code, stderr } = await run(['emails', 'send', '--to', 'a@example.test', '--template', 'hj']);

    expect(code).toBe(1);
    expect(stderr).toContain('Did you mean "hi"?');
  });
});

onEveryLocalServer('scheduling', ({ data }) => {
  it('is relative to the service’s own time', async () => {
    await data(['dev', 'clock', 'freeze']);
    const { now } = await data(['dev', 'clock', 'advance', '30d']);

    const sent = await data(['emails', 'send', '--to', 'ada@example.test', '--schedule', '2h']);

    expect(sent).toMatchObject({ status: 'scheduled' });
    expect(Date.parse(sent.scheduled_at) - Date.parse(now)).toBe(2 * 3_600_000);
    const at = ['--scheduled-at', sent.scheduled_at];
    const other = await data(['emails', 'send', '--to', 'ada@example.test', ...at]);
    expect(other.scheduled_at).toBe(sent.scheduled_at);
  });
});
