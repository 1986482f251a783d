import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { BINARY } from '../../support/binary.js';
import { onEveryServer } from '../../support/service.js';

const MAIL = [
  '--to',
  'ada@example.test',
  '--from',
  'Shop <shop@example.test>',
  '--subject',
  'Grüße',
  '--html',
  '<p>hé</p>',
];

onEveryServer('emails', ({ run, data, env, folder }) => {
  it('are sent, read and found', async () => {
    const { id, status } = await data(['emails', 'send', ...MAIL, '--text', 'hé', '--tag', 'a', '--tag', 'b']);
    expect({ id, status }).toEqual({ id: expect.stringMatching(/^msg_/), status: expect.stringMatching(/sent/) });

    expect(await data(['emails', 'get', id])).toMatchObject({
      id,
      to: 'ada@example.test',
      from: 'Shop <shop@example.test>',
      subject: 'Grüße',
      text: 'hé',
      tags: ['a', 'b'],
    });
    expect((await run(['emails', 'get', 'latest', '--html'])).stdout).toBe('<p>hé</p>');
    expect((await data(['emails', 'list', '--tag', 'a', '--tag', 'b'])).emails).toMatchObject([{ id }]);
    expect((await data(['emails', 'list', '--to', 'nobody@example.test'])).emails).toEqual([]);
    expect((await data(['emails', 'list', '--all'])).pagination.has_more).toBe(false);
    expect((await data(['analytics'])).total.sent).toBeGreaterThan(0);
  });

  it('are scheduled and cancelled, and not twice', async () => {
    const { id, status } = await data(['emails', 'send', ...MAIL, '--schedule', '2h']);
    expect(status).toBe('scheduled');

    expect(await data(['emails', 'cancel', id, '--yes'])).toEqual({ id, status: 'cancelled' });

    const { code, stderr } = await run(['emails', 'cancel', id, '--yes', '--json']);
    expect({ code, status: JSON.parse(stderr).error.status }).toEqual({ code: 1, status: 409 });
  });

  it('are rendered from a template by its name, with variables from stdin and from flags', async () => {
    const made = [
      'templates',
      'create',
      '--name',
      'hi',
      '--subject',
      'Hi {{name}}',
      '--html',
      '<p>{{name}}, {{age}}</p>',
    ];
    await data(made);

    const args = ['--to', 'ada@example.test', '--from', 'a@example.test', '--template', 'hi', '--vars', '-'];
    const { id } = await data(['emails', 'send', ...args, '--var', 'name=Ada & co'], {
      input: '{"name":"Bob","age":36}',
    });

    expect(await data(['emails', 'get', id])).toMatchObject({
      subject: 'Hi Ada & co',
      html: '<p>Ada &amp; co, 36</p>',
      variables: { name: 'Ada & co', age: 36 },
    });
  });

  it('are sent as a whole request, and shown without being sent', async () => {
    const body = { to: 'eve@example.test', from: 'a@example.test', subject: 'one', html: '<p>1</p>' };

    const shown = await data(['emails', 'send', '--data', '-', '--dry-run'], { input: JSON.stringify(body) });
    expect(shown).toMatchObject({ method: 'POST', body });
    expect((await data(['emails', 'list', '--to', 'eve@example.test'])).emails).toEqual([]);

    const sent = await data(['emails', 'send', '--data', '-', '--subject', 'two'], { input: JSON.stringify(body) });
    expect(await data(['emails', 'get', sent.id])).toMatchObject({ subject: 'two' });
  });

  it('are sent with a word on what the server ignored', async () => {
    const body = { to: 'a@example.test', from: 'a@example.test', subject: 's', html: 'h', schedled_at: 'x' };
    const send = (...flags: string[]) =>
      run(['emails', 'send', '--data', '-', ...flags], { input: JSON.stringify(body) });

    expect((await send()).stderr).toMatch(/^warning: ignored unknown fields: schedled_at.*scheduled_at/m);

    const { code, stdout, stderr } = await send('--json');
    expect({ code, sent: JSON.parse(stdout) }).toMatchObject({ code: 0, sent: { subject: 's' } });
    expect(JSON.parse(stderr)).toEqual({ warning: { message: expect.stringContaining('schedled_at') } });
  });

  it('are followed as they come', async () => {
    const args = ['emails', 'list', '--watch', '--to', 'new@example.test', '--json'];
    const child = spawn(process.execPath, [BINARY, ...args], {
      cwd: folder,
      env: { ...process.env, ...env() },
      stdio: 'pipe',
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const said = createInterface({ input: child.stderr })[Symbol.asyncIterator]();
    expect((await said.next()).value).toContain('Waiting for emails');

    const { id } = await data(['emails', 'send', ...MAIL, '--cc', 'new@example.test']);

    expect(JSON.parse((await lines.next()).value)).toMatchObject({ id });
    child.kill('SIGKILL');
  });
});
