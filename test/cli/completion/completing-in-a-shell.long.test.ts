import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startDev, svc, temporaryDirectory } from '../../support/cli/binary.js';
import { openShell, shellEnvironment } from '../../support/cli/terminal/shell.js';
import type { Terminal } from '../../support/cli/terminal/terminal.js';
import { runTool, skippedWithout } from '../../support/cli/tools.js';
import { deliver } from '../../support/mail/smtp-session.js';
import { newestParsed } from '../../support/servers/server-calls.js';

/** Tests what pressing Tab does in each shell; other tests cover which completions are offered. */

const folder = temporaryDirectory();
const home = folder.path;
const own = { SVC_DATA_DIR: join(home, 'data'), SVC_CONFIG_DIR: join(home, 'profiles') };
const ids: Record<string, string> = {};

beforeAll(async () => {
  const send = ['emails', 'send', '--to', 'ada@example.test', '--subject'];
  ids.order = (await run([...send, 'Your order'])).id;
  // Over SMTP, because REST refuses such a subject.
  const dev = await startDev(['--data-dir', own.SVC_DATA_DIR]);
  expect(await deliver(dev.ready.smtp, 'Subject: =?utf-8?q?=1B[31mred=07=0Aline?=\r\n\r\nx\r\n')).toMatch(/^250 /);
  await newestParsed(dev.ready);
  await dev.stop();
  ids.red = (await run(['emails', 'get', 'latest'])).id;
  const template = ['templates', 'create', '--subject', 'Hi: {{name}}', '--html', '<p>Hi</p>', '--name'];
  for (const name of ['order receipt', 'order $(touch hacked)']) await run([...template, name]);
  mkdirSync(join(home, 'templates'));
  writeFileSync(join(home, 'variables.json'), '{}');
});

afterAll(() => folder.remove());

describe.each(['bash', 'zsh'] as const)('%s, on a terminal', (shell) => {
  const skipped = skippedWithout(shell);
  let terminal: Terminal | undefined;

  afterEach(async () => {
    await terminal?.close();
    terminal = undefined;
  });

  it.skipIf(skipped).each([
    ['a command', 'svc emails ge', 'svc emails get '],
    ['the rest of an id', () => `svc emails get ${ids.order?.slice(0, -4)}`, () => `svc emails get ${ids.order} `],
    ['a value after =', 'svc analytics --by=w', 'svc analytics --by=week '],
    [
      'a list',
      'svc webhooks listen --events email.sent,dom',
      'svc webhooks listen --events email.sent,domain.verified',
    ],
    ['an address', 'svc emails send --to clicked@s', 'svc emails send --to clicked@simulator.test '],
    ['a name with a space', 'svc templates get order\\ r', 'svc templates get order\\ receipt '],
    ['a name in quotes', 'svc templates get "order r', 'svc templates get "order receipt" '],
    ['a file', 'svc openapi -o varia', 'svc openapi -o variables.json '],
    ['a file after @', 'svc emails send --data @varia', 'svc emails send --data @variables.json '],
    ['a file after =', 'svc openapi --output=varia', 'svc openapi --output=variables.json '],
    ['after another command', 'true | svc ema', 'true | svc emails '],
  ])(`completes %s${skipped}`, async (_, typed, completed) => {
    const [before, after] = [typed, completed].map((each) => (typeof each === 'function' ? each() : each));
    terminal = await open(shell);

    terminal.press(before ?? '');
    terminal.press('Tab');
    // The text typed next shows where the cursor is.
    terminal.press('X');

    await terminal.until((screen) => screen.includes(`ready> ${after}X`));
    expect(existsSync(join(home, 'hacked'))).toBe(false);
  });

  it.skipIf(skipped)(`does not execute commands in a name${skipped}`, async () => {
    terminal = await open(shell);

    terminal.press('svc templates get order\\ \\$');
    terminal.press('Tab');
    await terminal.until(/order\\ \\\$\\\(touch\\ hacked\\\)/);

    expect(existsSync(join(home, 'hacked'))).toBe(false);
  });

  it.skipIf(skipped)(`lists the candidates${shell === 'zsh' ? ', with descriptions' : ''}${skipped}`, async () => {
    terminal = await open(shell);

    terminal.press('svc emails get msg_');
    // The first Tab may insert only the common prefix.
    for (let press = 0; press < 3; press += 1) terminal.press('Tab');

    const screen = await terminal.until((each) => each.includes(ids.order ?? '') && each.includes(ids.red ?? ''));
    if (shell === 'zsh') expect(screen).toContain(`${ids.order}  -- Your order`);
  });
});

describe('fish', () => {
  const skipped = skippedWithout('fish');

  it.skipIf(skipped)(`completes, with a description of each name${skipped}`, async () => {
    expect(await complete('svc emails g')).toBe('get\tShow an email\n');
    expect(await complete('svc emails get msg_')).toBe(`${ids.red}\t[31mred line\n${ids.order}\tYour order\n`);
    expect(await complete('svc analytics --by=w')).toBe('--by=week\n');
    expect(await complete('svc templates get order\\ r')).toBe('order receipt\tHi: {{name}}\n');
    expect(await complete('svc openapi -o varia')).toBe('variables.json\n');
    expect(await complete('svc emails send --data @varia')).toBe('@variables.json\n');
    expect(await complete('svc templates push templ')).toMatch(/^templates\//);
    expect(await complete('svc webhooks update whk_nobody')).toBe('');
  });

  async function complete(line: string): Promise<string> {
    const env = { ...shellEnvironment(home, 'svc completion fish | source'), ...own };
    return runTool('fish', ['-c', 'complete -C $argv[1]', line], '', { cwd: home, env });
  }
});

function open(shell: 'bash' | 'zsh'): Promise<Terminal> {
  const env = { ...shellEnvironment(home, `PS1='ready> '\neval "$(svc completion ${shell})"`), ...own };
  return openShell(shell, home, env);
}

// biome-ignore lint/suspicious/noExplicitAny: whatever the command prints
async function run(args: string[]): Promise<any> {
  const { code, stdout, stderr } = await svc([...args, '--json'], { env: own });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}
