import { lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { start, svc } from '../../support/cli/binary.js';
import { folderOfEachTest } from '../../support/each-test.js';

const NEXT_PIDS = 3_000;

/** Tests symbolic links planted where svc writes: their targets stay unchanged. */

describe('a symbolic link where svc writes', () => {
  const folder = folderOfEachTest();
  let victim: string;
  const path = (name: string) => join(folder.path, name);
  const run = (...args: string[]) =>
    svc(args, { cwd: folder.path, env: { SVC_DATA_DIR: path('data'), SVC_CONFIG_DIR: path('config') } });

  beforeEach(() => {
    victim = path('bashrc');
    writeFileSync(victim, 'precious');
  });

  const expectUntouched = () => expect(readFileSync(victim, 'utf8')).toBe('precious');

  it('is not followed under any name of a temporary file for credentials and profiles', async () => {
    const key = 'svc_test_0123456789abcdef';
    const add = ['profiles', 'add', 'x', '--base-url', 'http://127.0.0.1:1/v1', '--api-key-stdin'];
    const env = { SVC_DATA_DIR: path('data'), SVC_CONFIG_DIR: path('config') };
    mkdirSync(path('data'), { mode: 0o700 });
    mkdirSync(path('config'), { mode: 0o700 });
    const first = start(['--version']).pid ?? 0;
    // Covers the next process ids, however many processes start meanwhile.
    for (let pid = first; pid < first + NEXT_PIDS; pid += 1) {
      for (const file of ['data/credentials.json', 'config/profiles.json']) symlinkSync(victim, path(`${file}.${pid}`));
    }

    const list = await run('emails', 'list', '--json');
    const added = await svc(add, { env, input: `${key}\n` });

    expect({ list, added }).toMatchObject({ list: { code: 0 }, added: { code: 0 } });
    expectUntouched();
    for (const file of ['data/credentials.json', 'config/profiles.json']) {
      expect(lstatSync(path(file)).isFile(), file).toBe(true);
      expect(statSync(path(file)).mode & 0o777, file).toBe(0o600);
    }
  });

  it('does not make svc create a database or a lock at a target that does not exist', async () => {
    for (const name of ['mail.db', 'server.lock']) {
      mkdirSync(path(`${name}.d`), { mode: 0o700 });
      symlinkSync(path(`made-by-${name}`), path(`${name}.d/${name}`));
    }

    const list = await run('emails', 'list', '--data-dir', path('mail.db.d'));
    const dev = await run('dev', '--http-port=0', '--smtp-port=0', '--data-dir', path('server.lock.d'));

    expect({ list: list.code, dev: dev.code }).toEqual({ list: 1, dev: 1 });
    expect(readdirSync(folder.path).filter((name) => name.startsWith('made-by'))).toEqual([]);
  });

  it('is replaced in the directory of a pull; one to a directory is skipped', async () => {
    const create = ['templates', 'create', '--subject', 'Hi', '--html', '<p>Hi</p>', '--text', 'Hi', '--name'];
    for (const name of ['welcome', 'constructor']) expect((await run(...create, name)).code).toBe(0);
    mkdirSync(path('templates/welcome'), { recursive: true });
    mkdirSync(path('home'));
    writeFileSync(path('templates/welcome/template.json'), '{"name":"welcome","subject":"Old"}');
    symlinkSync(victim, path('templates/welcome/body.html'));
    symlinkSync(path('made-by-pull'), path('templates/welcome/body.txt'));
    symlinkSync(path('home'), path('templates/constructor'));

    const { code } = await run('templates', 'pull', '--force');

    expect(code).toBe(0);
    expectUntouched();
    expect(readdirSync(path('home'))).toEqual([]);
    expect(readdirSync(folder.path)).not.toContain('made-by-pull');
    expect(lstatSync(path('templates/welcome/body.html')).isFile()).toBe(true);
    expect(readFileSync(path('templates/welcome/body.html'), 'utf8')).toBe('<p>Hi</p>');
    expect(readFileSync(path('templates/constructor-2/body.html'), 'utf8')).toBe('<p>Hi</p>');
  });

  it('is replaced in the directory of a rendering; one that is named itself is followed', async () => {
    await run('templates', 'create', '--subject', 'Hi', '--html', '<p>Hi</p>', '--text', 'Hi', '--name', 'welcome');
    mkdirSync(path('out'));
    symlinkSync(victim, path('out/body.html'));
    symlinkSync(path('elsewhere.html'), path('named.html'));

    const rendered = await run('templates', 'render', 'welcome', '-o', 'out/');
    const named = await run('templates', 'render', 'welcome', '-o', 'named.html');

    expect({ rendered: rendered.code, named: named.code }).toEqual({ rendered: 0, named: 0 });
    expectUntouched();
    expect(readFileSync(path('out/body.html'), 'utf8')).toBe('<p>Hi</p>');
    expect(readFileSync(path('elsewhere.html'), 'utf8')).toBe('<p>Hi</p>');
  });
});

describe('a file that svc writes', () => {
  const folder = folderOfEachTest();

  it('is readable by its owner only when it holds a saved message', async () => {
    writeFileSync(join(folder.path, 'note.txt'), 'private');
    const options = { cwd: folder.path, env: { SVC_DATA_DIR: join(folder.path, 'data') } };
    const send = ['emails', 'send', '--to', 'ada@example.test', '--from', 'a@example.test', '--subject', 'x'];
    expect((await svc([...send, '--html', 'x', '--attach', 'note.txt'], options)).code).toBe(0);

    const { code } = await svc(['emails', 'get', 'latest', '--save', 'saved'], options);

    const saved = join(folder.path, 'saved');
    const modes = readdirSync(saved).map((name) => (statSync(join(saved, name)).mode & 0o777).toString(8));
    expect({ code, modes }).toEqual({ code: 0, modes: ['600', '600', '600', '600'] });
  });

  it('keeps a profile named __proto__ like any other', async () => {
    const env = { SVC_CONFIG_DIR: join(folder.path, 'config') };
    const name = '__proto__';
    const add = ['profiles', 'add', name, '--base-url', 'http://127.0.0.1:1/v1', '--api-key-stdin', '--json'];
    const added = await svc(add, { env, input: 'svc_test_0123456789abcdef\n' });
    const shown = await svc(['profiles', 'show', name, '--json'], { env });
    const listed = await svc(['profiles', 'list', '--json'], { env });
    const used = await svc(['emails', 'list', '--profile', name, '--retries', '0'], { env });
    const removed = await svc(['profiles', 'remove', name], { env });
    const left = await svc(['profiles', 'list', '--json'], { env });

    expect([added, shown, listed, removed, left].map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    expect(JSON.parse(shown.stdout)).toMatchObject({ name, base_url: 'http://127.0.0.1:1/v1' });
    expect(JSON.parse(listed.stdout).profiles).toHaveLength(2);
    expect(used).toMatchObject({ code: 5, stderr: expect.stringContaining('http://127.0.0.1:1/v1') });
    expect(JSON.parse(left.stdout).profiles).toHaveLength(1);
  });
});
