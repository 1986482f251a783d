import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { startDev } from '../../support/cli/binary.js';
import { offered } from '../../support/cli/completion.js';
import { deliver } from '../../support/mail/smtp-session.js';
import { newestParsed } from '../../support/servers/server-calls.js';
import { onEveryLocalServer, onEveryServer } from '../../support/servers/service.js';

const send = ['emails', 'send', '--to', 'ada@example.test', '--from', 'a@example.test', '--html', 'h', '--subject'];
const rule = ['dev', 'rules', 'add', '--to', '*@corp.test', '--outcome', 'bounced'];
const webhook = ['webhooks', 'create', '--url', 'https://hooks.example.test/', '--events', 'email.sent'];

onEveryServer('completing names', ({ data, reach, env, folder }) => {
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    ids.order = (await data([...send, 'Your order'])).id;
    ids.scheduled = (await data([...send, 'Later', '--schedule', '2h'])).id;
    // Over SMTP, because REST refuses such a subject.
    const subject = 'Subject: =?utf-8?q?=1B[31mred=07=0Aline?=\r\n\r\nx\r\n';
    await reach(async (ready) => {
      expect(await deliver(ready.smtp, subject)).toMatch(/^250 /);
      await newestParsed(ready);
    });
    ids.red = (await data(['emails', 'get', 'latest'])).id;
    const template = ['templates', 'create', '--subject', 'Hi', '--html', '<p>Hi</p>', '--name'];
    for (const name of ['order receipt', 'order $(touch hacked)']) await data([...template, name]);
    ids.webhook = (await data(webhook)).id;
    ids.key = (await data(['api-keys', 'create', '--name', 'CI', '--rate-limit', '60'])).id;
    await data(['domains', 'add', 'mail.example.test']);
    mkdirSync(join(folder, 'templates/local'), { recursive: true });
    writeFileSync(join(folder, 'templates/local/template.json'), '{"name":"local","subject":"x"}');
  });

  const values = (words: string[], least: number) => offered(words, { cwd: folder, env: env(), least });

  it.each<[string, string[], () => unknown[]]>([
    ['emails, the newest first', ['emails', 'get', ''], () => ['latest', ids.red, ids.scheduled, ids.order]],
    ['emails that can be cancelled', ['emails', 'cancel', ''], () => ['latest', ids.scheduled]],
    ['templates', ['templates', 'get', 'order r'], () => ['order receipt']],
    [
      'templates and directories of them',
      ['templates', 'render', ''],
      () => ['local', 'latest', 'order $(touch hacked)', 'order receipt'],
    ],
    ['webhooks', ['webhooks', 'update', ''], () => ['latest', ids.webhook]],
    ['a webhook as a flag', ['webhooks', 'deliveries', '--webhook', ''], () => ['latest', ids.webhook]],
    ['API keys', ['api-keys', 'revoke', ''], () => expect.arrayContaining([ids.key]) as unknown as string[]],
    ['domains', ['domains', 'verify', ''], () => ['mail.example.test']],
    ['no domain to add', ['domains', 'add', ''], () => []],
  ])('offers %s', async (_, words, expected) => {
    const wanted = expected();
    const { code, stderr, names } = await values(words, Array.isArray(wanted) ? wanted.length : 1);

    expect({ code, stderr, names: names.map(({ name }) => name) }).toEqual({ code: 0, stderr: '', names: wanted });
  });

  it('offers subjects with ids, without control characters', async () => {
    const { names } = await values(['emails', 'get', 'msg_'], 3);

    expect(names).toEqual([
      { name: ids.red, about: '[31mred line' },
      { name: ids.scheduled, about: 'Later' },
      { name: ids.order, about: 'Your order' },
    ]);
  });

  it('offers the local ones when the line names their data directory', async () => {
    const elsewhere = ['--data-dir', `'${join(folder, 'nowhere')}'`];
    const { names } = await values(['emails', 'get', ...elsewhere, 'm'], 0);

    expect(names).toEqual([]);
  });

  it('offers nothing, without a message, that needs the control API where it is missing or has no entries', async () => {
    for (const words of [
      ['dev', 'rules', 'remove', ''],
      ['suppressions', 'remove', ''],
    ])
      expect(await values(words, 0)).toEqual({ code: 0, stderr: '', names: [] });
  });
});

onEveryLocalServer('completing names from the control API', ({ data, env, folder }) => {
  it('offers rules and suppressed addresses', async () => {
    const { id } = await data(rule);
    await data(['suppressions', 'add', 'eve@example.test']);
    const values = async (words: string[]) => (await offered(words, { cwd: folder, env: env(), least: 1 })).names;

    expect(await values(['dev', 'rules', 'remove', ''])).toEqual([{ name: id, about: '*@corp.test bounced' }]);
    expect(await values(['suppressions', 'remove', ''])).toEqual([{ name: 'eve@example.test', about: 'manual' }]);
  });

  it('offers those of a remote server that has such an API', async () => {
    const dev = await startDev(['--in-memory']);
    const there = { ...env(), SVC_BASE_URL: dev.ready.base_url, SVC_API_KEY: dev.ready.api_key };
    const { id } = await data(rule, { env: there });
    await data(['suppressions', 'add', 'far@example.test'], { env: there });
    const values = async (words: string[], least = 1) =>
      (await offered(words, { cwd: folder, env: there, least })).names;

    const names = [
      await values(['dev', 'rules', 'remove', '']),
      await values(['suppressions', 'remove', '']),
      await values(['webhooks', 'replay', ''], 0),
    ];

    await dev.stop();
    expect(names).toEqual([
      [{ name: id, about: '*@corp.test bounced' }],
      [{ name: 'far@example.test', about: 'manual' }],
      [{ name: 'latest', about: 'the newest one' }],
    ]);
  });
});
