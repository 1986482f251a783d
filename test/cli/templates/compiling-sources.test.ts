import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
// @ts-expect-error Scripts have no types.
import { isComplete, programs } from '../../../scripts/test-clients.js';
import { TemplateCompiler } from '../../../src/cli/templates/sources/compiler.js';
import { svc } from '../../support/cli/binary.js';
import { skippedWithout } from '../../support/cli/tools.js';
import { folderOfEachTest } from '../../support/each-test.js';

/** Tests templates whose HTML is compiled: by MJML, React Email, or a command. */

const folder = folderOfEachTest();
const path = (...names: string[]) => join(folder.path, ...names);
const OFFLINE = { SVC_BASE_URL: 'http://127.0.0.1:9/v1', SVC_API_KEY: 'svc_test_secret' };
const run = (...args: string[]) =>
  svc(['templates', ...args], { cwd: folder.path, env: { ...OFFLINE, SVC_CONFIG_DIR: path('config') } });
const html = async () => (await run('render', 'emails/order', '--html', '--allow-code')).stdout;

type Manifest = { command?: unknown };

function write(files: Record<string, string>, manifest: Manifest = {}): void {
  mkdirSync(path('emails/order'), { recursive: true });
  const all = {
    'order/template.json': JSON.stringify({ name: 'order', subject: 'Hi', ...manifest }, null, 2),
    ...files,
  };
  for (const [name, text] of Object.entries(all)) writeFileSync(path('emails', name), text);
}

const node = (code: string) => ({ command: ['node', '-e', code] });

describe('a command', () => {
  it('prints the HTML, without the keys of svc, in the directory of the template', async () => {
    const code =
      "const { env } = process; console.log('<p>' + env.SVC_API_KEY, require('fs').readFileSync('in.txt') + '', '{{name}}</p>')";
    write({ 'order/in.txt': 'text', 'order/sample.json': '{"name": "Ada"}' }, node(code));

    expect(await html()).toBe('<p>undefined text Ada</p>\n');
    const { templates } = JSON.parse((await run('check', 'emails', '--json', '--allow-code')).stdout);
    expect(templates[0].checks.find(({ id }: { id: string }) => id === 'placeholders').where).toEqual([
      expect.objectContaining({ file: 'emails/order/template.json (compiled)', line: 1 }),
    ]);
  });

  it('runs only if the user allows the directory, for this directory only', async () => {
    write({}, node(`require('fs').writeFileSync(${JSON.stringify(path('ran'))}, ''); console.log('<p>Hi</p>')`));

    for (const args of [
      ['check', 'emails'],
      ['render', 'emails/order'],
      ['screenshot', 'emails'],
    ]) {
      const { code, stdout, stderr } = await run(...args);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toContain('would run code that you have not allowed.\n');
      expect(stderr).toContain("emails/order/template.json: node -e 'require");
      expect(stderr).toContain('pass --allow-code once');
    }
    expect(existsSync(path('ran'))).toBe(false);

    expect((await run('check', 'emails', '--allow-code', '--fail-on', 'error')).code).toBe(0);
    expect(existsSync(path('ran'))).toBe(true);
    expect((await run('render', 'emails/order', '--html')).stdout).toBe('<p>Hi</p>\n');

    // Another directory takes the path.
    renameSync(path('emails'), path('old'));
    write({}, node("console.log('<p>Hi</p>')"));
    expect((await run('check', 'emails')).code).toBe(1);
    expect((await run('check', 'old')).code).toBe(1);
  });

  it('does not run in a directory that was deleted and created again, whatever inode it has', async () => {
    for (let round = 0; round < 5; round++) {
      write({}, node("console.log('<p>Hi</p>')"));
      expect((await run('check', 'emails')).stderr).toContain('that you have not allowed');
      expect((await run('check', 'emails', '--allow-code', '--fail-on', 'error')).code).toBe(0);
      rmSync(path('emails'), { recursive: true });
    }
  });

  it('does not run in a repository within an allowed directory', async () => {
    write({}, node("console.log('<p>Hi</p>')"));
    expect((await run('check', 'emails', '--allow-code', '--fail-on', 'error')).code).toBe(0);
    mkdirSync(path('emails/cloned/.git'), { recursive: true });
    writeFileSync(
      path('emails/cloned/template.json'),
      JSON.stringify({ name: 'cloned', subject: 'Hi', ...node('console.log("<p>Hi</p>")') }),
    );

    for (const args of [
      ['check', 'emails'],
      ['render', 'emails/cloned'],
    ]) {
      const { code, stderr } = await run(...args);
      expect([code, stderr]).toEqual([1, expect.stringContaining('1 template in ')]);
      expect(stderr).toContain('emails/cloned/template.json: node -e');
    }
    expect((await run('render', 'emails/order', '--html')).stdout).toBe('<p>Hi</p>\n');
    await run('check', 'emails', '--allow-code');
    expect((await run('render', 'emails/cloned', '--html')).stdout).toBe('<p>Hi</p>\n');
  });

  it.each([
    ['fails', 'console.error("no such part"); process.exit(3)', 'ended with exit code 3. no such part'],
    [
      'prints too much',
      '(function more() { process.stdout.write("x".repeat(1e5), more); })()',
      'printed more than 1,048,576 bytes.',
    ],
  ])('that %s is reported with its line', async (_, code, reason) => {
    write({}, node(code));
    const { code: exit, stderr } = await run('render', 'emails/order', '--allow-code');
    expect([exit, stderr]).toEqual([1, expect.stringContaining('emails/order/template.json:4: node -e ')]);
    expect(stderr).toContain(reason);
  });

  it.each([
    ['cannot be found', { command: ['no-such-program'] }, ['no-such-program cannot be run: no such file or directory']],
    [
      'is not a list',
      { command: 'node build.js' },
      ['command must be a list of strings', '"command": ["node", "build.js"]'],
    ],
    ['is empty', { command: [] }, ['command must be a list of strings']],
  ])('that %s is refused', async (_, manifest, messages) => {
    write({}, manifest);
    const { stderr } = await run('render', 'emails/order', '--allow-code');
    for (const message of messages) expect(stderr).toContain(message);
  });

  it('that hangs ends with all that it started', async () => {
    const loop = 'setInterval(() => {}, 1000)';
    const code = `const child = require('child_process').spawn(process.execPath, ['-e', '${loop}'], { stdio: 'inherit' });
      require('fs').writeFileSync(${JSON.stringify(path('pid'))}, String(child.pid)); ${loop}`;
    write({});
    const env = { ...process.env, SVC_CONFIG_DIR: path('config') };
    const compiler = new TemplateCompiler(path('emails'), { 'allow-code': true, timeoutMs: 1_500, env });
    const file = path('emails/order/template.json');
    const { command } = node(code);
    await expect(compiler.compile({ kind: 'command', file, command, line: 4 })).rejects.toThrow(
      'did not end within 1.5 s.',
    );
    await expect.poll(() => isRunning(Number(readFileSync(path('pid'), 'utf8')))).toBe(false);
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A process that has ended, which no one has waited for yet.
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

const withoutCompilers = skippedWithout('the compilers of templates', isComplete('compilers'), 'npm run test-clients');
const install = () => symlinkSync(programs.compilerModules, path('node_modules'));

describe('a compiler that is not installed', () => {
  it.each([
    ['body.mjml', 'emails/order/body.mjml needs the package mjml, not installed', 'npm install --save-dev mjml@5'],
    [
      'body.tsx',
      'emails/order/body.tsx needs the packages @react-email/render, react, react-dom, esbuild, not',
      'npm install --save-dev @react-email/render@2 react react-dom esbuild',
    ],
  ])('for %s is named, with the command that installs it', async (file, message, hint) => {
    write({ [`order/${file}`]: '' });
    const { code, stderr } = await run('render', 'emails/order', '--allow-code');
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(stderr).toContain(hint);
    expect((await run('check', 'emails')).stdout).toContain(hint);
    expect((await run('screenshot', 'emails')).stderr).toContain(hint);
  });

  it('does not matter if the template has two sources', async () => {
    write({ 'order/body.mjml': '', 'order/body.html': '' });
    expect((await run('render', 'emails/order')).stderr).toContain('emails/order has body.html and body.mjml.\n');
  });
});

describe.skipIf(withoutCompilers)(`MJML${withoutCompilers}`, () => {
  beforeEach(install);
  const mjml = (body: string) => `<mjml><mj-body>\n${body}\n</mj-body></mjml>`;
  const text = (words: string) => `<mj-section><mj-column><mj-text>${words}</mj-text></mj-column></mj-section>`;

  it('is compiled with its includes, and keeps placeholders', async () => {
    write({
      'order/sample.json': '{"name": "Ada"}',
      'order/body.mjml': mjml(`<mj-include path="../footer.mjml" />${text('Hello {{name}}')}`),
      'footer.mjml': text('From us'),
    });
    const compiled = await html();
    expect(compiled).toMatch(/^\s*<!doctype html>/i);
    expect(compiled).toContain('>Hello Ada</div>');
    expect(compiled).toContain('>From us</div>');
  });

  it('does not run the package before the user allows it', async () => {
    write({ 'order/body.mjml': mjml(text('Hi')) });
    expect((await run('check', 'emails')).stderr).toContain('/node_modules/mjml/');
  });

  it('with a fault is reported with its line', async () => {
    write({ 'order/body.mjml': mjml('<mj-section><mj-column><mj-tekst>Hi</mj-tekst></mj-column></mj-section>') });
    const { code, stderr } = await run('render', 'emails/order', '--allow-code');
    expect([code, stderr]).toEqual([1, expect.stringContaining('emails/order/body.mjml: Line 2 of ')]);
    expect(stderr).toContain("mj-tekst doesn't exist");
  });
});

describe.skipIf(withoutCompilers)(`React Email${withoutCompilers}`, () => {
  beforeEach(install);
  const part = 'export const Part = ({ name }: { name: string }) => <b>{name}</b>;';
  const body = (content: string) =>
    `import { Part } from '../part';\nexport default function Order({ name = 'no one', url }: Record<string, string>) {\n  ${content}\n}\n`;
  const email = body('return <html><body>Hello <Part name={name} /><a href={url}>Open</a></body></html>;');

  it('is compiled with the components it imports, whatever its tsconfig.json, and props are placeholders', async () => {
    write({
      'order/body.tsx': email,
      'part.tsx': part,
      'order/sample.json': '{"name": "Ada", "url": "https://x.test"}',
    });
    writeFileSync(path('tsconfig.json'), '{"compilerOptions": {"jsx": "preserve"}}');
    expect(await html()).toContain('Hello <b>Ada</b><a href="https://x.test">Open</a>');
  });

  it('is pushed as its HTML with placeholders, and not overwritten by a pull', async () => {
    write({ 'order/body.tsx': email, 'part.tsx': part });
    const env = { SVC_CONFIG_DIR: path('config'), SVC_DATA_DIR: path('.svc') };
    const sync = (...args: string[]) => svc(['templates', ...args], { cwd: folder.path, env });
    expect((await sync('push', 'emails')).stderr).toContain('that you have not allowed');
    expect((await sync('push', 'emails', '--allow-code')).code).toBe(0);
    const { html: pushed } = JSON.parse((await sync('get', 'order', '--json')).stdout);
    expect(pushed).toContain('Hello <b>{{name}}</b><a href="{{url}}">Open</a>');
    expect((await sync('diff', 'emails')).stderr).toBe('No differences.\n');
    await sync('update', 'order', '--html', '<p>Hi</p>');
    const { code, stderr } = await sync('pull', 'emails');
    expect([code, stderr]).toEqual([1, expect.stringContaining('here it is compiled from')]);
    expect(existsSync(path('emails/order/body.html'))).toBe(false);
  });

  it.each([
    ['that cannot be parsed', body('return <html>;'), part, /emails\/order\/body\.tsx:4:\d+: /],
    ['that lacks an import', email, undefined, /emails\/order\/body\.tsx:1:\d+: Could not resolve/],
    [
      'whose component throws',
      email,
      'export const Part = () => {\n  throw new Error("no name");\n};',
      /emails\/part\.tsx:2:\d+: no name\nIt is part of emails\/order\/body\.tsx\./,
    ],
    [
      'without a component',
      'export const x = 1;',
      part,
      /body\.tsx: The file must export a component as its default\./,
    ],
    ['that ends the process', body('process.exit(0);'), part, /body\.tsx: the process of the compiler ended\./],
  ])('%s is reported with its line', async (_, source, imported, message) => {
    write({ 'order/body.tsx': source, ...(imported !== undefined && { 'part.tsx': imported }) });
    const { code, stderr } = await run('render', 'emails/order', '--allow-code');
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
  });

  it('that hangs ends, and the next source is compiled', async () => {
    write({ 'order/body.tsx': body('for (;;);'), 'part.tsx': part });
    const env = { ...process.env, SVC_CONFIG_DIR: path('config') };
    const compiler = new TemplateCompiler(path('emails'), { 'allow-code': true, timeoutMs: 3_000, env });
    const source = { kind: 'react', file: path('emails/order/body.tsx'), command: [], line: 1 } as const;
    await expect(compiler.compile(source)).rejects.toThrow('body.tsx: did not end within 3 s.');
    write({ 'order/body.tsx': email });
    compiler.forget();
    expect(await compiler.compile(source)).toContain('Hello <b>{{name}}</b>');
    compiler.close();
  });
});
