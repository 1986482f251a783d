import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { onEveryServer } from '../../support/servers/service.js';

onEveryServer('templates', ({ run, data, folder }) => {
  it('are created, changed, rendered and deleted', async () => {
    const { id } = await data(['templates', 'create', '--name', 'a', '--subject', 'Hi {{name}}', '--html', 'x']);

    expect(await data(['templates', 'update', 'a', '--subject', 'Hello {{name}}', '--yes'])).toMatchObject({
      id,
      subject: 'Hello {{name}}',
    });
    expect((await data(['templates', 'render', id, '--var', 'name=Ada'])).subject).toBe('Hello Ada');
    const { code, stderr } = await run(['templates', 'render', id, '--strict']);
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringContaining('a (subject):1:7: name is missing'),
    });
    expect((await data(['templates', 'list'])).templates).toMatchObject([{ id }]);
    expect((await run(['templates', 'create', '--name', 'a', '--subject', 's', '--html', 'x'])).code).toBe(1);

    await data(['templates', 'delete', 'a', '--yes']);

    expect((await run(['templates', 'get', id])).code).toBe(1);
  });

  it('are rendered by name or id, unless a directory has that name', async () => {
    const { id } = await data(['templates', 'create', '--name', 'there', '--subject', 'S {{x}}', '--html', 'h']);

    for (const template of ['there', id]) {
      const rendered = await data(['templates', 'render', template, '--vars', '-'], { input: '{"x":1}' });
      expect(rendered).toEqual({ subject: 'S 1', html: 'h', text: '' });
    }
    mkdirSync(join(folder, 'there'));
    expect((await run(['templates', 'render', 'there'])).stderr).toContain(
      'template.json cannot be read: no such file or directory.',
    );
  });
});

onEveryServer('templates as files', ({ run, data, folder }) => {
  const html = (name: string) => join(folder, 'templates', name, 'body.html');

  it('are pushed, and the second push changes nothing', async () => {
    await data(['templates', 'init', 'welcome']);
    await data(['templates', 'init', 'receipt']);
    expect((await run(['templates', 'diff'])).code).toBe(3);

    expect(await actions(['templates', 'push', '--yes'])).toEqual(['create', 'create']);

    expect(await actions(['templates', 'push', '--yes'])).toEqual(['unchanged', 'unchanged']);
    expect((await run(['templates', 'diff'])).code).toBe(0);
  });

  it('are not overwritten with an older version', async () => {
    writeFileSync(html('welcome'), '<p>Changed here</p>');
    await data(['templates', 'update', 'welcome', '--subject', 'Changed there', '--yes']);

    expect((await run(['templates', 'push', '--yes'])).code).toBe(1);
    const { code, stdout } = await run(['templates', 'pull', '--json']);
    const conflicts = JSON.parse(stdout).steps.filter(({ action }: { action: string }) => action === 'conflict');
    expect({ code, conflicts }).toMatchObject({ code: 1, conflicts: [{ name: 'welcome' }] });
    expect(readFileSync(html('welcome'), 'utf8')).toBe('<p>Changed here</p>');

    expect((await run(['templates', 'push', '--yes', '--force'])).code).toBe(0);
    expect(await data(['templates', 'get', 'welcome'])).toMatchObject({ html: '<p>Changed here</p>' });
  });

  it('are removed on the server when requested', async () => {
    rmSync(join(folder, 'templates/receipt'), { recursive: true });

    expect(await actions(['templates', 'push', '--yes', '--delete'])).toEqual(expect.arrayContaining(['delete']));

    expect((await data(['templates', 'list'])).templates.map(({ name }: { name: string }) => name)).toEqual([
      'welcome',
    ]);
  });

  async function actions(args: string[]): Promise<string[]> {
    return (await data(args)).steps.map(({ action }: { action: string }) => action);
  }
});
