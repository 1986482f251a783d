import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readManifest } from '../../src/cli/completion/manifest.js';
import { argumentKind, argumentKinds, flagKind, flagKinds } from '../../src/cli/completion/value-kinds.js';
import { type DevServer, ROOT, startDev, svc, temporaryDirectory } from '../support/binary.js';
import { openShell, shellEnvironment } from '../support/shell.js';
import { deliver } from '../support/smtp-session.js';
import type { Terminal } from '../support/terminal.js';
import { isInstalled, runTool } from '../support/tools.js';

const folder = temporaryDirectory();
const home = folder.path;
const dataDir = join(home, 'data');
const configDir = join(home, 'profiles');
const own = { SVC_DATA_DIR: dataDir, SVC_CONFIG_DIR: configDir };
const ids: Record<string, string> = {};

const send = ['emails', 'send', '--to', 'ada@example.test', '--subject'];

beforeAll(async () => {
  ids.order = (await run([...send, 'Your order'])).id;
  ids.scheduled = (await run([...send, 'Later', '--schedule', '2h'])).id;
  // Over SMTP, because REST refuses such a subject.
  const dev = await startDev(['--data-dir', dataDir]);
  expect(await deliver(dev.ready.smtp, 'Subject: =?utf-8?q?=1B[31mred=07=0Aline?=\r\n\r\nx\r\n')).toMatch(/^250 /);
  ids.red = (await run(['emails', 'get', 'latest'])).id;
  await dev.stop();
  const template = ['templates', 'create', '--subject', 'Hi: {{name}}', '--html', '<p>Hi</p>', '--name'];
  for (const name of ['order receipt', 'order $(touch hacked)']) await run([...template, name]);
  ids.webhook = (
    await run(['webhooks', 'create', '--url', 'http://localhost:3000/hooks', '--events', 'email.sent'])
  ).id;
  ids.key = (await run(['api-keys', 'create', '--name', 'CI'])).id;
  ids.rule = (await run(['dev', 'rules', 'add', '--to', '*@corp.test', '--outcome', 'bounced'])).id;
  await run(['domains', 'add', 'mail.example.test']);
  await run(['suppressions', 'add', 'eve@example.test']);
  await run(['profiles', 'add', 'production', '--base-url', 'https://api.example.test/v1'], 'svc_live_x');
  mkdirSync(join(home, 'templates/local'), { recursive: true });
  writeFileSync(join(home, 'templates/local/template.json'), '{"name":"local","subject":"x"}');
  writeFileSync(join(home, 'variables.json'), '{}');
});

afterAll(() => folder.remove());

describe('what is offered', () => {
  const cases: [string, string[], (names: string[]) => void][] = [
    ['topics and commands', ['em'], (names) => expect(names).toEqual(['emails'])],
    ['commands of a topic', ['emails', 's'], (names) => expect(names).toEqual(['send', 'simulate'])],
    [
      'what is command and topic',
      ['dev', ''],
      (names) => expect(names).toEqual(expect.arrayContaining(['exec', 'clock'])),
    ],
    ['topics of a topic', ['dev', 'clock', 'a'], (names) => expect(names).toEqual(['advance'])],
    ['shells', ['completion', ''], (names) => expect(names).toEqual(['bash', 'zsh', 'fish'])],
    ['flags', ['emails', 'list', '--st'], (names) => expect(names).toEqual(['--status'])],
    ['flags of every command', ['emails', 'list', '--pro'], (names) => expect(names).toEqual(['--profile'])],
    ['flags of a command that is a topic', ['dev', '--http'], (names) => expect(names).toEqual(['--http-port'])],
    [
      'both forms of a switch',
      ['dev', '--'],
      (names) => expect(names).toEqual(expect.arrayContaining(['--control', '--no-control'])),
    ],
    ['no flag a second time', ['emails', 'list', '--all', '--a'], (names) => expect(names).toEqual(['--api-key'])],
    ['a repeatable flag again', ['emails', 'send', '--tag', 'a', '--ta'], (names) => expect(names).toEqual(['--tag'])],
    [
      'no flag that excludes one given',
      ['emails', 'get', 'latest', '--raw', '--h'],
      (names) => expect(names).toEqual(['--help']),
    ],
    ['options of a flag', ['analytics', '--by', ''], (names) => expect(names).toEqual(['day', 'week', 'month'])],
    ['options after =', ['analytics', '--by=w'], (names) => expect(names).toEqual(['--by=week'])],
    [
      'states of an email',
      ['emails', 'list', '--status', 'd'],
      (names) => expect(names).toEqual(['delivered', 'dropped']),
    ],
    ['outcomes', ['emails', 'simulate', 'latest', 'b'], (names) => expect(names).toEqual(['bounced'])],
    [
      'outcomes as a flag',
      ['dev', 'rules', 'add', '--outcome', 's'],
      (names) => expect(names).toEqual(['soft-bounced']),
    ],
    [
      'recipients that meet an outcome',
      ['emails', 'send', '--to', 'cl'],
      (names) => expect(names).toEqual(['clicked@simulator.test']),
    ],
    [
      'an event',
      ['webhooks', 'trigger', 'email.d'],
      (names) => expect(names).toEqual(['email.delivered', 'email.dropped']),
    ],
    [
      'events',
      ['webhooks', 'listen', '--events', 'email.sent,domain'],
      (names) => expect(names).toEqual(['email.sent,domain.verified']),
    ],
    ['no event twice', ['webhooks', 'listen', '--events', 'email.sent,email.s'], (names) => expect(names).toEqual([])],
    [
      'emails, the newest first',
      ['emails', 'get', ''],
      (names) => expect(names).toEqual(['latest', ids.red, ids.scheduled, ids.order]),
    ],
    [
      'an email as a flag',
      ['webhooks', 'trigger', 'email.sent', '--email', 'lat'],
      (names) => expect(names).toEqual(['latest']),
    ],
    ['emails that may be cancelled', ['emails', 'cancel', ''], (names) => expect(names).toEqual([ids.scheduled])],
    ['templates', ['templates', 'get', 'order r'], (names) => expect(names).toEqual(['order receipt'])],
    [
      'templates and directories of them',
      ['templates', 'render', ''],
      (names) => expect(names).toEqual(['local', 'order $(touch hacked)', 'order receipt']),
    ],
    ['starters', ['templates', 'init', 're'], (names) => expect(names).toEqual(['receipt'])],
    ['webhooks', ['webhooks', 'update', ''], (names) => expect(names).toEqual([ids.webhook])],
    [
      'a webhook as a flag',
      ['webhooks', 'deliveries', '--webhook', ''],
      (names) => expect(names).toEqual([ids.webhook]),
    ],
    ['API keys', ['api-keys', 'revoke', ''], (names) => expect(names).toContain(ids.key)],
    ['rules', ['dev', 'rules', 'remove', ''], (names) => expect(names).toEqual([ids.rule])],
    ['domains', ['domains', 'verify', ''], (names) => expect(names).toEqual(['mail.example.test'])],
    ['no domain to add', ['domains', 'add', ''], (names) => expect(names).not.toContain('mail.example.test')],
    ['suppressed addresses', ['suppressions', 'remove', ''], (names) => expect(names).toEqual(['eve@example.test'])],
    ['profiles', ['profiles', 'use', ''], (names) => expect(names).toEqual(['local', 'production'])],
    ['profiles as a flag', ['emails', 'list', '--profile', 'p'], (names) => expect(names).toEqual(['production'])],
    [
      'ids of the data directory that the line names',
      ['emails', 'get', '--data-dir', `'${join(home, 'nowhere')}'`, 'm'],
      (names) => expect(names).toEqual([]),
    ],
    [
      'nothing for what nobody knows',
      ['bogus', ''],
      (names) => expect(names).toEqual(expect.not.arrayContaining([ids.order])),
    ],
  ];

  it.each(cases)('%s', async (_, words, check) => {
    const { code, stderr, names } = await values(words);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    check(names.map(({ name }) => name));
  });

  it('subjects beside ids, without what a terminal would obey', async () => {
    const { names } = await values(['emails', 'get', 'msg_']);

    expect(names).toEqual([
      { name: ids.red, about: '[31mred line' },
      { name: ids.scheduled, about: 'Later' },
      { name: ids.order, about: 'Your order' },
    ]);
  });

  it('nothing, and nothing is made, where no data directory is', async () => {
    const nowhere = join(home, 'nowhere');

    const { code, stdout, stderr } = await svc(['completion-values', '--', 'emails', 'get', 'm'], {
      env: { SVC_DATA_DIR: nowhere },
    });

    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'nothing\tspace\t\n', stderr: '' });
    expect(existsSync(nowhere)).toBe(false);
  });

  it('nothing, quietly, of a database or a profile file that cannot be read', async () => {
    const broken = join(home, 'broken');
    mkdirSync(broken);
    writeFileSync(join(broken, 'mail.db'), 'no database');
    writeFileSync(join(broken, 'profiles.json'), '{');

    for (const words of [
      ['emails', 'get', 'm'],
      ['profiles', 'use', ''],
    ]) {
      const answer = await svc(['completion-values', '--', ...words], {
        env: { SVC_DATA_DIR: broken, SVC_CONFIG_DIR: broken },
      });
      expect(answer).toEqual({ code: 0, stdout: 'nothing\tspace\t\n', stderr: '' });
    }
  });

  describe('of a server', () => {
    let dev: DevServer | undefined;
    afterEach(async () => {
      await dev?.stop('SIGKILL');
      dev = undefined;
    });

    it('that runs on the data directory, stopped in its tracks too', async () => {
      dev = await startDev(['--data-dir', dataDir]);
      dev.child.kill('SIGSTOP');

      expect((await values(['emails', 'get', 'msg_'])).names).toHaveLength(3);
    });

    it('that is named and remote, of every kind', async () => {
      dev = await startDev(['--in-memory']);
      const { base_url, api_key } = dev.ready;
      const env = { SVC_BASE_URL: base_url, SVC_API_KEY: api_key };
      const { id } = await run([...send, 'Far away', '--from', 'a@example.test', '--html', 'x'], api_key, env);
      await run(['suppressions', 'add', 'far@example.test'], api_key, env);
      await run(['dev', 'rules', 'add', '--to', '*@far.test', '--outcome', 'bounced'], api_key, env);

      expect((await values(['emails', 'get', 'msg_'], env)).names).toEqual([{ name: id, about: 'Far away' }]);
      expect((await values(['suppressions', 'remove', ''], env)).names).toEqual([
        { name: 'far@example.test', about: 'manual' },
      ]);
      expect((await values(['dev', 'rules', 'remove', ''], env)).names).toMatchObject([
        { about: '*@far.test bounced' },
      ]);
      for (const words of [
        ['templates', 'get', ''],
        ['domains', 'get', ''],
        ['webhooks', 'update', ''],
        ['webhooks', 'replay', ''],
      ])
        expect((await values(words, env)).names).toEqual([]);
      expect((await values(['api-keys', 'revoke', ''], env)).names).toMatchObject([{ about: 'Local server' }]);
    });

    it('that never answers: nothing, and the shell is not kept', async () => {
      const silent = createTcpServer().listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const base = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1`;

      for (const words of [
        ['emails', 'get', ''],
        ['dev', 'rules', 'remove', ''],
      ]) {
        const { code, stderr, names } = await values(words, { SVC_BASE_URL: base, SVC_API_KEY: 'svc_test_x' });
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        expect(names.filter(({ name }) => name !== 'latest')).toEqual([]);
      }

      silent.close();
    });

    it('that refuses: nothing', async () => {
      const refusing = createServer((_, response) => response.writeHead(500).end('no')).listen(0, '127.0.0.1');
      await once(refusing, 'listening');
      const base = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}/v1`;

      const answer = await values(['webhooks', 'update', ''], { SVC_BASE_URL: base, SVC_API_KEY: 'svc_test_x' });

      refusing.close();
      expect(answer).toMatchObject({ code: 0, stderr: '', names: [] });
    });
  });
});

describe('the table of what values name', () => {
  const { commands } = readManifest(ROOT);
  const all = Object.values(commands);
  const topicOf = (id: string) => id.replace(/[^:]+$/, '*');

  it('has no entry for a command, an argument or a flag that is not there', () => {
    for (const key of Object.keys(argumentKinds)) {
      const [id, name = ''] = key.split(' ');
      expect(
        all.some((each) => [each.id, topicOf(each.id)].includes(id ?? '') && name in each.args),
        key,
      ).toBe(true);
    }
    for (const key of Object.keys(flagKinds)) {
      const [, id, name = ''] = /^(?:(\S+) )?--(\S+)$/.exec(key) ?? [];
      expect(
        all.some((each) => (id ?? each.id) === each.id && name in each.flags),
        key,
      ).toBe(true);
    }
  });

  it('has one for every argument and flag that takes an id', () => {
    const takesId = ({ description = '' }) => /\b[a-z]{3}_ id\b/.test(description);
    const without = all.flatMap((command) => [
      ...Object.values(command.args).filter((arg) => takesId(arg) && !argumentKind(command, arg)),
      ...Object.values(command.flags).filter((flag) => takesId(flag) && !flagKind(command, flag)),
    ]);

    expect(without).toEqual([]);
  });
});

describe.each(['bash', 'zsh'] as const)('%s, on a terminal', (shell) => {
  const missing = [shell, 'tmux'].find((each) => !isInstalled(each));
  const skipped = missing ? ` (skipped where ${missing} is not installed)` : '';
  let terminal: Terminal | undefined;

  afterEach(async () => {
    await terminal?.close();
    terminal = undefined;
  });

  it.skipIf(missing).each([
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

    await terminal.press(before ?? '');
    await terminal.press('Tab');
    // What is typed next shows where the cursor is.
    await terminal.press('X');

    await terminal.until((screen) => screen.includes(`ready> ${after}X`));
    expect(existsSync(join(home, 'hacked'))).toBe(false);
  });

  it.skipIf(missing)(`runs nothing that a name holds${skipped}`, async () => {
    terminal = await open(shell);

    await terminal.press('svc templates get order\\ \\$');
    await terminal.press('Tab');
    await terminal.until(/order\\ \\\$\\\(touch\\ hacked\\\)/);

    expect(existsSync(join(home, 'hacked'))).toBe(false);
  });

  it.skipIf(missing)(`lists what there is${shell === 'zsh' ? ', with what it is about' : ''}${skipped}`, async () => {
    terminal = await open(shell);

    await terminal.press('svc emails get msg_');
    // The first may only write what all of them begin with.
    for (let press = 0; press < 3; press += 1) await terminal.press('Tab');

    const screen = await terminal.until((each) => each.includes(ids.order ?? '') && each.includes(ids.red ?? ''));
    if (shell === 'zsh') expect(screen).toContain(`${ids.order}  -- Your order`);
  });
});

describe('fish', () => {
  const skipped = isInstalled('fish') ? '' : ' (skipped where fish is not installed)';

  it.skipIf(skipped)(`completes, with what each name is about${skipped}`, async () => {
    expect(await complete('svc emails g')).toBe('get\tShow one email\n');
    expect(await complete('svc emails get msg_')).toBe(
      `${ids.red}\t[31mred line\n${ids.scheduled}\tLater\n${ids.order}\tYour order\n`,
    );
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

async function values(words: string[], env: Record<string, string> = {}) {
  const answer = await svc(['completion-values', '--', ...words], { cwd: home, env: { ...own, ...env } });
  const [, ...lines] = answer.stdout.trimEnd().split('\n');
  const names = lines.map((line) => {
    const [name = '', about = ''] = line.split('\t');
    return { name, about };
  });
  return { code: answer.code, stderr: answer.stderr, names };
}

// biome-ignore lint/suspicious/noExplicitAny: whatever the command prints
async function run(args: string[], key?: string, env: Record<string, string> = {}): Promise<any> {
  const { code, stdout, stderr } = await svc([...args, '--json'], {
    env: { ...own, ...env, ...(key && { SVC_API_KEY: key }) },
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout === '' ? undefined : JSON.parse(stdout);
}
