import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { onEveryServer } from '../../support/servers/service.js';

interface Step {
  name: string;
  changed: string;
}

/** Returns the patch that diff -u prints for the server's and the directory's version. */
function patch(name: string, there: string, here: string): string[] {
  const header = [`--- ${name} (html)\tserver`, `+++ ${name} (html)\tlocal`, '@@ -1,1 +1,1 @@'];
  return [...header, `-${there}`, `+${here}`];
}

/** Tests what a push and a pull may overwrite: it depends on the last common version, never on the times of files. */

onEveryServer('templates changed on both sides', ({ run, data, folder }) => {
  const directory = join(folder, 'templates');
  const html = (name: string) => join(directory, name, 'body.html');

  function write(name: string, body: string): void {
    mkdirSync(join(directory, name), { recursive: true });
    writeFileSync(join(directory, name, 'template.json'), JSON.stringify({ name, subject: 'then' }));
    writeFileSync(html(name), body);
  }
  const push = (...args: string[]) => run(['templates', 'push', '--yes', ...args]);
  const changeThere = (name: string) => data(['templates', 'update', name, '--html', 'there', '--yes']);
  const onServer = async (name: string) => (await data(['templates', 'get', name])).html;

  /** Makes both sides equal, without other templates. */
  async function synced(...names: string[]): Promise<void> {
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(directory);
    for (const name of names) write(name, 'then');
    expect(await push('--delete', '--force')).toMatchObject({ code: 0 });
  }

  it('are not pushed over a change on the server, however new the files are', async () => {
    await synced('both');
    await changeThere('both');
    write('both', 'here');

    const { code, stdout, stderr } = await push();

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('Error: Not pushed: both (html) changed on both sides. Nothing was changed.');
    expect(stderr).toMatch(
      /Keep the server’s version with "svc templates pull templates both --force[" ].*"svc templates push templates both --force[" ]/,
    );
    expect(await onServer('both')).toBe('there');
    const planned = await push('--dry-run');
    expect(planned).toMatchObject({ code: 1, stdout: '! both (html) changed on both sides\n' });
    expect(planned.stderr).not.toContain('created');
    const pushed = await push('--force');
    expect(pushed).toMatchObject({ code: 0, stdout: '~ both updated (html)\n' });
    expect(pushed.stderr).not.toContain('~ both');
    expect(await onServer('both')).toBe('here');
  });

  it('are not pushed back to an old version, and none is pushed when one is refused', async () => {
    await synced('kept');
    await changeThere('kept');
    utimesSync(html('kept'), new Date('2099-01-01'), new Date('2099-01-01'));
    write('fresh', 'fresh');

    const { code, stderr } = await push('--json');

    expect(code).toBe(1);
    const { error } = JSON.parse(stderr.split('\n').findLast((line) => line.startsWith('{"error"'))!);
    expect(error).toMatchObject({ details: [{ path: 'kept', message: '(html) changed on the server' }] });
    expect((await run(['templates', 'get', 'fresh'])).code).toBe(1);
  });

  it('are pushed when only the files changed, however old they are', async () => {
    await synced('old');
    write('old', 'here');
    for (const file of ['template.json', 'body.html']) utimesSync(join(directory, 'old', file), 0, 0);

    expect(await push()).toMatchObject({ code: 0, stdout: '~ old updated (html)\n' });

    expect(await onServer('old')).toBe('here');
  });

  it('are not deleted when they were changed on the server meanwhile', async () => {
    await synced('gone');
    await changeThere('gone');
    rmSync(join(directory, 'gone'), { recursive: true });

    expect(await push('--delete')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('deleted locally, changed on the server'),
    });

    expect(await onServer('gone')).toBe('there');
    expect(await push('--delete', '--force')).toMatchObject({ code: 0, stdout: expect.stringContaining('- gone') });
    // A template created again is unrelated to the deleted one.
    write('gone', 'then');
    expect(await push()).toMatchObject({ code: 0, stdout: expect.stringContaining('+ gone created') });
  });

  it('are not created again after they were removed on the server, unless forced', async () => {
    await synced('gone', 'kept');
    expect(await run(['templates', 'delete', 'gone', '--yes'])).toMatchObject({ code: 0 });

    expect(await push('--dry-run')).toMatchObject({ code: 1, stdout: '! gone deleted on the server\n' });
    const refused = await push();
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('Error: Not pushed: gone deleted on the server. Nothing was changed.');
    expect(refused.stderr).toContain('Delete its directory too, or push with --force to recreate it.');

    const pulled = await run(['templates', 'pull']);
    expect(pulled).toMatchObject({ code: 0, stdout: '  gone deleted on the server\n' });
    expect(pulled.stderr).toContain('Deleted on the server, kept locally: gone.');
    expect(readFileSync(html('gone'), 'utf8')).toBe('then');

    expect(await push('--force')).toMatchObject({ code: 0, stdout: '+ gone created\n' });
    expect(await onServer('gone')).toBe('then');
  });

  it('are new when both sides had removed the name', async () => {
    await synced('gone', 'kept');
    expect(await run(['templates', 'delete', 'gone', '--yes'])).toMatchObject({ code: 0 });
    rmSync(join(directory, 'gone'), { recursive: true });
    expect(await push()).toMatchObject({ code: 0, stdout: '' });

    write('gone', 'then');

    const planned = await push('--dry-run');
    expect(planned).toMatchObject({ code: 0, stdout: '+ gone not on the server\n' });
    expect(planned.stderr).toContain('Dry run: nothing was changed. It would create 1 template.\n');
    const pushed = await push();
    expect(pushed).toMatchObject({ code: 0, stdout: '+ gone created\n' });
    expect(pushed.stderr).toContain('Pushed: 1 created, 1 unchanged.\n');
    expect((await push()).stderr).toContain('Nothing to push: 2 unchanged.\n');
  });

  it('have a directory each, even when their names produce the same one', async () => {
    await synced();
    for (const name of ['a b', 'a/b', 'A-B']) {
      await data(['templates', 'create', '--name', name, '--subject', 'x', '--html', name]);
    }

    expect(await run(['templates', 'pull'])).toMatchObject({
      code: 0,
      stdout: '+ A-B created\n+ a b created (directory a-b-2)\n+ a/b created (directory a-b-3)\n',
    });

    expect(['A-B', 'a-b-2', 'a-b-3'].map((path) => readFileSync(html(path), 'utf8'))).toEqual(['A-B', 'a b', 'a/b']);
    expect(await run(['templates', 'pull'])).toMatchObject({ code: 0, stdout: '' });
  });

  it('have directories that every file system accepts, whatever their names are', async () => {
    await synced();
    const names = ['..', '../../evil', '/etc/x', 'CON', 'nul.txt', '-rf', '.bashrc', '日'.repeat(255), 'é'.repeat(255)];
    for (const name of names) {
      await data(['templates', 'create', `--name=${name}`, '--subject', 'x', '--html', name]);
    }

    expect(await run(['templates', 'pull'])).toMatchObject({ code: 0 });

    const found = readdirSync(directory).filter((name) => existsSync(html(name)));
    const byName = new Map(found.map((name) => [readFileSync(html(name), 'utf8'), name]));
    expect(names.map((name) => byName.get(name))).toEqual([
      'template',
      'evil',
      'etc-x',
      'template-CON',
      'template-nul.txt',
      'rf',
      'bashrc',
      '日'.repeat(80),
      'é'.repeat(120),
    ]);
    expect(await run(['templates', 'pull'])).toMatchObject({ code: 0 });
  });

  it('may have the names of object properties', async () => {
    await synced();
    await data(['templates', 'create', '--name', 'constructor', '--subject', 'then', '--html', 'there']);
    write('constructor', 'here');
    write('toString', 'here');

    expect(await push('--dry-run')).toMatchObject({
      code: 1,
      stdout: '! constructor (html) differs, no sync record\n+ toString not on the server\n',
    });
  });

  it('are printed without control characters', async () => {
    await synced();
    mkdirSync(join(directory, 'hostile'));
    writeFileSync(join(directory, 'hostile/template.json'), JSON.stringify({ name: 'a\u001b[2J\nb', subject: 'x' }));
    writeFileSync(html('hostile'), 'x');

    // The server would refuse the name.
    expect(await push('--dry-run')).toMatchObject({ code: 1, stdout: '+ a[2J b not on the server\n' });
  });

  it('are a conflict when they differ without a common version; equal ones are recorded as synced', async () => {
    await synced();
    await data(['templates', 'create', '--name', 'unknown', '--subject', 'then', '--html', 'there']);
    write('unknown', 'here');

    expect(await push()).toMatchObject({ code: 1, stderr: expect.stringContaining('differs, no sync record') });
    expect(await run(['templates', 'pull'])).toMatchObject({ code: 1 });
    expect(readFileSync(html('unknown'), 'utf8')).toBe('here');

    write('unknown', 'there');
    expect(await push()).toMatchObject({ code: 0 });
    write('unknown', 'here');
    expect(await push()).toMatchObject({ code: 0, stdout: '~ unknown updated (html)\n' });
  });

  it('are pulled when they changed on the server only, and not when the files changed', async () => {
    await synced('here', 'there', 'both');
    for (const name of ['there', 'both']) await changeThere(name);
    for (const name of ['here', 'both']) write(name, 'here');

    const { code, stdout, stderr } = await run(['templates', 'pull']);

    expect(code).toBe(1);
    expect(stdout).toBe('! both (html) changed on both sides\n  here (html) changed locally\n~ there updated (html)\n');
    expect(stderr).toContain('Not overwritten: both.');
    expect(stderr).toContain('Keep the server’s version with "svc templates pull templates both --force"');
    expect(['both', 'here', 'there'].map((name) => readFileSync(html(name), 'utf8'))).toEqual([
      'here',
      'here',
      'there',
    ]);

    expect(await run(['templates', 'pull', '--force'])).toMatchObject({ code: 0 });
    expect(['both', 'here', 'there'].map((name) => readFileSync(html(name), 'utf8'))).toEqual([
      'there',
      'then',
      'there',
    ]);
    expect(await run(['templates', 'diff'])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('No differences.\n'),
    });
  });

  it('are compared, with the side that changed', async () => {
    await synced('both', 'here', 'removed', 'there');
    for (const name of ['both', 'there']) await changeThere(name);
    for (const name of ['both', 'here', 'new']) write(name, 'here');
    rmSync(join(directory, 'removed'), { recursive: true });
    await data(['templates', 'create', '--name', 'elsewhere', '--subject', 'x', '--html', 'x']);

    const human = await run(['templates', 'diff']);
    const machine = await run(['templates', 'diff', '--json']);

    expect(human).toMatchObject({
      code: 3,
      stdout: [
        '~ both (html) changed on both sides',
        ...patch('both', 'there', 'here'),
        '- elsewhere only on the server',
        '~ here (html) changed locally',
        ...patch('here', 'then', 'here'),
        '+ new not on the server',
        '- removed deleted locally',
        '~ there (html) changed on the server',
        ...patch('there', 'there', 'then'),
        '',
      ].join('\n'),
    });
    expect(machine.code).toBe(3);
    const { differs, steps } = JSON.parse(machine.stdout) as { differs: boolean; steps: Step[] };
    expect(differs).toBe(true);
    expect(steps[0]).toEqual({
      name: 'both',
      action: 'update',
      fields: ['html'],
      changed: 'both',
      texts: { html: { here: 'here', there: 'there' } },
    });
    expect(steps[1]).toMatchObject({ name: 'elsewhere', action: 'delete', texts: {} });
    expect(Object.fromEntries(steps.map(({ name, changed }) => [name, changed]))).toEqual({
      both: 'both',
      elsewhere: 'there',
      here: 'here',
      new: 'here',
      removed: 'here',
      there: 'there',
    });
  });
});
