import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BINARY, svc, temporaryDirectory } from '../../support/cli/binary.js';

describe('rendering a template directory', () => {
  let folder: ReturnType<typeof temporaryDirectory>;
  let child: ReturnType<typeof spawn> | undefined;

  beforeEach(() => {
    folder = temporaryDirectory();
    mkdirSync(join(folder.path, 'hi'));
    put('template.json', '{\n  "name": "hi",\n  "subject": "Hi {{name}}"\n}');
    put('body.html', '<p>\n  {{name}} is {{ age }}\n</p>\n');
    put('sample.json', '{ "name": "Ada", "age": 36 }');
  });

  afterEach(() => {
    child?.kill('SIGKILL');
    child = undefined;
    folder.remove();
  });

  const put = (file: string, text: string) => writeFileSync(join(folder.path, 'hi', file), text);
  const run = (args: string[]) => svc(args, { cwd: folder.path, env: { SVC_DATA_DIR: join(folder.path, 'data') } });
  const render = (...args: string[]) => run(['templates', 'render', 'hi', ...args]);

  it('prints one part exactly', async () => {
    expect(await render('--html')).toEqual({ code: 0, stdout: '<p>\n  Ada is 36\n</p>\n', stderr: '' });
    expect((await render('--subject', '--var', 'name=A & B')).stdout).toBe('Hi A & B');
  });

  it('refuses a result that would exceed the size of a message, before it is built', async () => {
    put('body.html', '{{name}}'.repeat(100_000));
    writeFileSync(join(folder.path, 'vars.json'), JSON.stringify({ name: 'x'.repeat(900) }));

    const { code, stdout, stderr } = await render('--html', '--vars', '@vars.json');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('html: must be at most 8388608 bytes in UTF-8 once rendered, not 90000000');
  });

  it('reports with --strict where variables are missing, and which are not used', async () => {
    writeFileSync(join(folder.path, 'vars.json'), '{\n  "nmae": "Ada"\n}');

    const args = ['--strict', '--no-sample', '--vars', '@vars.json', '--var', 'age=1', '--var', 'odd=2'];
    const { code, stdout, stderr } = await render(...args, '--json');

    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'assertion_failed',
      details: [
        { path: 'hi/template.json:3:18', message: 'name is missing' },
        { path: 'hi/body.html:2:3', message: 'name is missing' },
        { path: 'vars.json:2:3', message: 'nmae is not used' },
        { path: '--var', message: 'odd is not used' },
      ],
    });
    expect((await render(...args)).stderr).toContain('  hi/body.html:2:3: name is missing\n');
    expect((await render('--strict')).code).toBe(0);
  });

  it('reports with --strict where a placeholder is broken, without repeated advice', async () => {
    put('body.html', '<p>\n  {{name}} is {{ age }}\n</p>\n<p>{{{name}}} {{first name}}</p> {{broken');

    const { code, stdout, stderr } = await render('--strict', '--json');

    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    const { details, hint } = JSON.parse(stderr).error;
    expect(details).toEqual([
      { path: 'hi/body.html:4:15', message: '"{{first name}}" is not a placeholder' },
      { path: 'hi/body.html:4:34', message: '"{{broken" is not a placeholder' },
    ]);
    expect(hint).toBe(
      'A placeholder is {{name}}, with letters, digits and underscores; without --strict, anything else is left as is.',
    );
    const told = await render('--strict');
    expect(told.stderr).toContain('  hi/body.html:4:34: "{{broken" is not a placeholder\n');
    expect((await render('--html')).stdout).toContain('{{broken');
  });

  it('gives with --strict the advice for missing or unused variables', async () => {
    const missing = await render('--strict', '--no-sample');
    expect(missing.stderr).toContain('Pass missing variables with --var NAME=VALUE or --vars.\n');
    expect(missing.stderr).not.toContain('ignored');

    const unused = await render('--strict', '--var', 'odd=1');
    expect(unused.stderr).toContain('Without --strict, unused variables are ignored.\n');
    expect(unused.stderr).not.toContain('missing');
  });

  it('writes all three to a directory, or one to a file, and never over the template', async () => {
    expect((await render('-o', 'out/')).code).toBe(0);
    const file = (name: string) => readFileSync(join(folder.path, name), 'utf8');
    expect([file('out/subject.txt'), file('out/body.html'), file('out/body.txt')]).toEqual([
      'Hi Ada',
      '<p>\n  Ada is 36\n</p>\n',
      '',
    ]);
    await render('-o', 'page.html');
    expect(file('page.html')).toBe(file('out/body.html'));
    await render('--subject', '-o', 'subject');
    expect(file('subject')).toBe('Hi Ada');

    for (const output of ['hi', 'hi/body.html']) {
      const { code, stderr } = await render('-o', output);
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('overwrite') });
    }
    expect(file('hi/body.html')).toContain('{{ age }}');
    expect(existsSync(join(folder.path, 'hi/subject.txt'))).toBe(false);
  });

  it('renders again whenever a file changes, and continues after a mistake in it', async () => {
    const args = [BINARY, 'templates', 'render', 'hi', '--json', '--watch'];
    child = spawn(process.execPath, args, { cwd: folder.path, stdio: 'pipe' });
    const exited = once(child, 'exit');
    const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
    const errors = createInterface({ input: child.stderr! })[Symbol.asyncIterator]();
    const subject = async () => JSON.parse((await lines.next()).value).subject;
    expect(await subject()).toBe('Hi Ada');

    put('sample.json', '{ "name": "Bob", "age": 1 }');
    expect(await subject()).toBe('Hi Bob');

    put('template.json', '{ "name":');
    expect((await errors.next()).value).toContain('template.json is not valid JSON');

    put('new.json', '{ "name": "hi", "subject": "Hello {{name}}" }');
    renameSync(join(folder.path, 'hi/new.json'), join(folder.path, 'hi/template.json'));
    expect(await subject()).toBe('Hello Bob');

    child.kill('SIGINT');
    expect(await exited).toEqual([130, null]);
  });

  it('refuses to watch a template on a server', async () => {
    const { code, stderr } = await run(['templates', 'render', 'tpl_1', '--watch']);
    expect(code).toBe(2);
    expect(stderr).toContain('--watch requires a template directory');
  });
});
