import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BINARY, startDev, svc, temporaryDirectory } from '../../support/cli/binary.js';

/**
 * Tests a directory of templates with the servers of this machine: each data directory is one server, whatever its
 * port.
 */

let folder: ReturnType<typeof temporaryDirectory>;
beforeEach(() => {
  folder = temporaryDirectory();
});
afterEach(() => folder.remove());

const path = (name: string) => join(folder.path, name);
const html = () => path('templates/hello/body.html');
const record = () => path('templates/.svc-sync.json');
const run = (server: string, ...args: string[]) => svc([...args, '--data-dir', path(server)], { cwd: folder.path });
const push = (server: string, ...args: string[]) => run(server, 'templates', 'push', ...args);

function write(body: string): void {
  mkdirSync(path('templates/hello'), { recursive: true });
  writeFileSync(path('templates/hello/template.json'), '{"name":"hello","subject":"Hi"}');
  writeFileSync(html(), body);
}

describe('a push', () => {
  it('recognizes the local server when it runs again, on any port', async () => {
    write('first');
    expect(await push('data')).toMatchObject({ code: 0, stdout: '+ hello created\n' });
    const dev = await startDev(['--data-dir', path('data')]);
    write('second');

    const pushed = await push('data');

    expect(await dev.stop()).toBe(0);
    expect(pushed).toMatchObject({ code: 0, stdout: '~ hello updated (html)\n' });
  });

  it('fills a local server that was emptied', async () => {
    write('first');
    expect(await push('data')).toMatchObject({ code: 0 });
    expect(await run('data', 'dev', 'reset')).toMatchObject({ code: 0 });

    expect(await push('data')).toMatchObject({ code: 0, stdout: '+ hello created\n' });
  });

  it('fills a data directory that was created again', async () => {
    write('first');
    expect(await push('data')).toMatchObject({ code: 0 });
    rmSync(path('data'), { recursive: true });
    expect(await run('data', 'templates', 'create', '--name', 'x', '--subject', 'x', '--html', 'x')).toMatchObject({
      code: 0,
    });

    expect(await push('data')).toMatchObject({ code: 0, stdout: '+ hello created\n  x only on the server\n' });
  });

  it('recognizes a server in memory for as long as it runs', async () => {
    write('first');
    const dev = await startDev(['--in-memory'], { env: { SVC_DATA_DIR: path('data') } });
    const pushed = [await push('data')];
    write('second');
    pushed.push(await push('data'));
    const there = JSON.parse((await run('data', 'templates', 'get', 'hello', '--json')).stdout);

    expect(await dev.stop()).toBe(0);
    expect(pushed).toMatchObject([
      { code: 0, stdout: '+ hello created\n' },
      { code: 0, stdout: '~ hello updated (html)\n' },
    ]);
    expect(there.html).toBe('second');
    expect(readdirSync(path('data'))).toEqual(['server.lock']);
  });

  it('distinguishes two directories of templates on a server in memory', async () => {
    write('first');
    renameSync(path('templates'), path('others'));
    write('second');
    const dev = await startDev(['--in-memory'], { env: { SVC_DATA_DIR: path('data') } });
    expect(await push('data', 'others')).toMatchObject({ code: 0, stdout: '+ hello created\n' });

    const pushed = await push('data');

    expect(await dev.stop()).toBe(0);
    expect(pushed).toMatchObject({ code: 1, stderr: expect.stringContaining('differs, no sync record') });
  });

  it('to a server in memory reports nothing about the data directory that it was found by', async () => {
    write('first');
    expect(await push('data')).toMatchObject({ code: 0 });
    const noted = readFileSync(record(), 'utf8');
    const dev = await startDev(['--in-memory'], { env: { SVC_DATA_DIR: path('data') } });
    write('second');
    expect(await push('data')).toMatchObject({ code: 0, stdout: '+ hello created\n' });
    expect(await dev.stop()).toBe(0);

    const pulled = await run('data', 'templates', 'pull');

    expect(readFileSync(record(), 'utf8')).toBe(noted);
    expect(pulled).toMatchObject({ code: 0, stdout: '  hello (html) changed locally\n' });
    expect(readFileSync(html(), 'utf8')).toBe('second');
    expect(await push('data')).toMatchObject({ code: 0, stdout: '~ hello updated (html)\n' });
  });

  it('records nothing among the templates for a server that dev exec keeps in memory', async () => {
    write('first');

    const args = ['dev', 'exec', '--fresh', '--', process.execPath, BINARY, 'templates', 'push'];
    expect(await svc(args, { cwd: folder.path })).toMatchObject({ code: 0, stdout: '+ hello created\n' });

    expect(existsSync(record())).toBe(false);
  });
});

it('a pull from another local server does not overwrite what was pushed to this one', async () => {
  write('first');
  const there = ['templates', 'create', '--name', 'hello', '--subject', 'Hi', '--html', 'first'];
  expect(await run('other', ...there)).toMatchObject({ code: 0 });
  expect(await push('data')).toMatchObject({ code: 0 });
  write('second');
  expect(await push('data')).toMatchObject({ code: 0 });

  const pulled = await run('other', 'templates', 'pull');

  expect(pulled).toMatchObject({ code: 1, stdout: '! hello (html) differs, no sync record\n' });
  expect(readFileSync(html(), 'utf8')).toBe('second');
});

describe('a record that cannot be read', () => {
  it.each([
    ['contains merge conflict markers', '<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> theirs\n'],
    ['contains null', 'null'],
    ['contains something else', '{"local":["hello"]}'],
  ])('is not treated as missing when it %s', async (_, content) => {
    write('first');
    writeFileSync(record(), content);

    for (const command of ['push', 'pull', 'diff']) {
      const { code, stdout, stderr } = await run('data', 'templates', command);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(record());
      expect(stderr).toContain('Fix the file');
    }
    expect(readFileSync(record(), 'utf8')).toBe(content);
    expect((await run('data', 'templates', 'list')).stdout).not.toContain('hello');
  });

  it('is not treated as missing when the system refuses access', async () => {
    write('first');
    mkdirSync(record());

    const { code, stderr } = await push('data');

    expect(code).toBe(1);
    expect(stderr).toContain(`Error: Cannot read ${record()}: it is a directory`);
  });
});
