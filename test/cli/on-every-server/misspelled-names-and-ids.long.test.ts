import { beforeAll, expect, it } from 'vitest';
import { svc } from '../../support/cli/binary.js';
import { expectHint } from '../../support/cli/refusal.js';
import { answers, startScripted } from '../../support/servers/scripted-server.js';
import { onEveryLocalServer, onEveryServer } from '../../support/servers/service.js';

const send = [
  'emails',
  'send',
  '--to',
  'ada@example.test',
  '--from',
  'a@example.test',
  '--subject',
  's',
  '--html',
  'h',
];

const NOTHING_NEAR = expect.stringMatching(/^List what exists with "svc emails list( --[a-z-]+ \S+)*"\.$/);

onEveryServer('a misspelled name or id', ({ run, data }) => {
  let id: string;

  beforeAll(async () => {
    id = (await data(send)).id;
    await data(['domains', 'add', 'mail.example.test']);
    await data(['templates', 'create', '--name', 'receipt', '--subject', 'x', '--html', 'x']);
  });

  it.each<[string, () => string[], () => string]>([
    ['a template', () => ['templates', 'get', 'reciept'], () => 'Did you mean "receipt"?'],
    ['a truncated id', () => ['emails', 'get', id.slice(0, -3)], () => `Did you mean ${id}?`],
    ['an id with two letters swapped', () => ['emails', 'get', swapped(id)], () => `Did you mean ${id}?`],
    ['a domain', () => ['domains', 'verify', 'mail.exmaple.test'], () => 'Did you mean mail.example.test?'],
    ['an id in capitals', () => ['emails', 'get', id.toUpperCase()], () => `Did you mean ${id}?`],
    ['an id with a missing letter', () => ['emails', 'get', id.replace(/.(.{5})$/, '$1')], () => `Did you mean ${id}?`],
    ['an id with an invalid letter', () => ['emails', 'get', `${id.slice(0, -1)}o`], () => `Did you mean ${id}?`],
    ['an id with the same timestamp', () => ['emails', 'get', ofTheSameMoment(id)], () => NOTHING_NEAR],
    [
      'a truncated id, in a command that deletes',
      () => ['emails', 'cancel', id.slice(0, -3), '--yes'],
      () => NOTHING_NEAR,
    ],
    [
      'an id of another kind',
      () => ['webhooks', 'delete', id, '--yes'],
      () => expect.stringMatching(new RegExp(`^${id} is the ID of an email. Run "svc emails get ${id}( --.*)?".$`)),
    ],
    ['an id that resembles no other', () => ['emails', 'get', 'msg_nobody'], () => NOTHING_NEAR],
  ])('gets the name that exists, and exits with 1: %s', (_, args, hint) => expectHint(run, args(), 1, hint()));
});

onEveryServer('a shortened id', ({ run, data }) => {
  it('is enough for reading, and not for a change', async () => {
    const { id } = await data(send);
    const template = await data(['templates', 'create', '--name', 'receipt', '--subject', 'x', '--html', 'x']);
    const end = id.slice(-6);

    expect((await data(['emails', 'get', end.toUpperCase()])).id).toBe(id);
    expect((await data(['templates', 'get', template.id.slice(-6)])).id).toBe(template.id);
    expect((await data(['templates', 'get', 'latest'])).id).toBe(template.id);
    await expectHint(run, ['emails', 'cancel', end, '--yes'], 1, NOTHING_NEAR);
    await expectHint(run, ['emails', 'get', 'z'.repeat(6)], 1, 'Run "svc emails list" to see all IDs.');
    expect(await run(['emails', 'get', end.slice(1)])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is too short for an ID: pass at least its last 6 characters.'),
    });
    await expectHint(run, ['emails', 'get', 'latst'], 2, 'Did you mean latest?');
  });
});

it('a shortened id of several emails lists them', async () => {
  const emails = ['msg_1abcdef', 'msg_2abcdef'].map((id) => ({ id, to: 'ada@example.test', subject: `Mail ${id}` }));
  const pagination = { total: 2, limit: 100, offset: 0, has_more: false };
  const remote = await startScripted([answers({ emails, pagination })]);

  const { code, stderr } = await svc([
    'emails',
    'get',
    'abcdef',
    '--base-url',
    remote.baseUrl,
    '--api-key',
    'svc_test_x',
  ]);

  await remote.close();
  expect(code).toBe(1);
  expect(stderr).toContain(`Error: 2 email IDs end with "abcdef".
  msg_1abcdef: ada@example.test, Mail msg_1abcdef
  msg_2abcdef: ada@example.test, Mail msg_2abcdef
Pass more characters of the ID.
`);
});

onEveryLocalServer('a misspelled id of the control API', ({ run, data }) => {
  it('gets the email that exists', async () => {
    const { id } = await data(send);

    const { code, stderr } = await run(['emails', 'simulate', swapped(id), 'bounced']);

    expect(code).toBe(1);
    expect(stderr).toContain(`Did you mean ${id}?`);
  });
});

/** Replaces the last character. */
function ofTheSameMoment(id: string): string {
  return `${id.slice(0, -1)}${id.endsWith('q') ? 'm' : 'q'}`;
}

/** Swaps the first two neighbours after the prefix that differ. */
function swapped(id: string): string {
  const at = [...id].findIndex((letter, index) => index >= 'msg_'.length && letter !== id[index + 1]);
  return `${id.slice(0, at)}${id[at + 1]}${id[at]}${id.slice(at + 2)}`;
}
