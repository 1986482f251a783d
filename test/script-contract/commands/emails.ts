import { expect } from 'vitest';
import type { CommandSpec } from '../command-spec.js';

export const emails: CommandSpec[] = [
  {
    command: 'emails send',
    calls: 'service',
    args: ({ unique }) => ['--to', `${unique}@example.test`, '--from', 'a@example.test', '--subject=Hi', '--html=x'],
    unknown: ['--to=a@example.test', '--from=a@example.test', '--template=tpl_none'],
  },
  {
    command: 'emails send',
    when: 'as a dry run',
    calls: 'service',
    args: () => ['--to=a@example.test', '--from=a@example.test', '--subject=Hi', '--html=x', '--dry-run'],
    prints: ({ proxyRoute }) => ({
      method: 'POST',
      url: `${proxyRoute.baseUrl}/emails`,
      body: { to: ['a@example.test'], from: 'a@example.test', subject: 'Hi', html: 'x' },
    }),
  },
  {
    command: 'emails list',
    calls: 'service',
    args: async (fixture) => {
      await fixture.email();
      return ['--limit=2'];
    },
    wrong: ['--since=yesterday'],
  },
  {
    command: 'emails list',
    when: 'to its end',
    calls: 'service',
    args: async (fixture) => {
      await fixture.email({ tags: [fixture.unique] });
      return ['--all', '--tag', fixture.unique];
    },
  },
  {
    command: 'emails list',
    when: 'watching',
    calls: 'service',
    args: () => ['--watch'],
    longRunning: {
      readyOn: 'stderr',
      trigger: (fixture) => fixture.email(),
      exits: { SIGINT: 130, SIGTERM: 143 },
    },
  },
  {
    command: 'emails list',
    when: 'searching',
    calls: 'control',
    args: async (fixture) => ['--search', `id:${(await fixture.email()).id}`],
    prints: (_, answered) => {
      const { emails, total } = answered.at(-1)?.data ?? {};
      return { emails, pagination: { total, limit: 20, offset: 0, has_more: false }, total_exact: true };
    },
  },
  {
    command: 'emails assert',
    calls: 'control',
    args: async (fixture) => ['--search', `id:${(await fixture.email()).id}`, '--no-placeholders'],
    prints: (_, answered) => ({
      passed: true,
      checks: ['email', 'no-placeholders'].map((name) => ({ name, passed: true, message: expect.any(String) })),
      email: answered.at(-1)?.data.emails[0],
      near_misses: [],
    }),
    wrong: ['--count=3..2'],
  },
  {
    command: 'emails wait',
    calls: 'control',
    args: async (fixture) => ['--search', `id:${(await fixture.email()).id}`],
    prints: (_, answered) => answered.at(-1)?.data.emails[0],
    wrong: ['--since=60', '--count=0', '--extract=subject'],
  },
  {
    command: 'emails get',
    calls: 'service',
    args: async (fixture) => [(await fixture.email()).id],
    unknown: ['msg_none'],
  },
  {
    command: 'emails get',
    when: 'for its HTML',
    calls: 'service',
    args: async (fixture) => [(await fixture.email()).id, '--html'],
    content: 'without --json',
    prints: (_, answered) => ({ html: answered.at(-1)?.data.html }),
  },
  {
    command: 'emails get',
    when: 'for its headers',
    calls: 'control',
    args: async (fixture) => [(await fixture.email()).id, '--headers'],
    prints: () => ({ headers: expect.arrayContaining([{ name: 'Subject', value: 'Hi' }]) }),
  },
  {
    command: 'emails get',
    when: 'for its attachments',
    calls: 'control',
    args: async (fixture) => [(await fixture.email()).id, '--attachments'],
    prints: () => ({ attachments: [] }),
  },
  {
    command: 'emails get',
    when: 'to save it',
    calls: 'control',
    args: async (fixture) => [(await fixture.email()).id, '--save=saved'],
    controlCharactersExemption: 'it makes names of files from ids, and takes no odd one',
    prints: () => ({
      files: [/msg_\w+\.eml$/, /msg_\w+\.html\.txt$/, /index\.html$/].map((path) => expect.stringMatching(path)),
    }),
  },
  {
    command: 'emails get',
    when: 'for its HTML as delivered',
    calls: 'control',
    args: async (fixture) => [(await fixture.email()).id, '--delivered'],
    content: 'without --json',
    prints: () => ({ delivered: expect.stringContaining('<') }),
  },
  {
    command: 'emails open',
    calls: 'service',
    args: async (fixture) => [(await fixture.email()).id],
    controlCharactersExemption: 'it prints the name of a file',
    prints: () => ({ id: expect.stringMatching(/^msg_/), file: expect.stringContaining('svc-email-'), opened: false }),
    unknown: ['msg_none'],
  },
  {
    command: 'emails inspect',
    calls: 'control',
    args: async (fixture) => [(await fixture.email()).id],
    unknown: ['msg_none'],
  },
  {
    command: 'emails screenshot',
    calls: 'service',
    args: async (fixture) => [(await fixture.email()).id, '--no-sandbox', '--output', 'email.png'],
    controlCharactersExemption: 'it prints the name of a file',
    prints: () => expect.objectContaining({ id: expect.stringMatching(/^msg_/), width: 600, cut: false }),
    wrong: ['msg_1', '--width=1'],
    unknown: ['msg_none', '--no-sandbox'],
  },
  {
    command: 'emails check',
    calls: 'control',
    args: async (fixture) => [(await fixture.email()).id],
    prints: () => expect.objectContaining({ failed: expect.any(Number), links: null }),
    wrong: ['msg_1', '--min-score=101'],
    unknown: ['msg_none'],
  },
  {
    command: 'emails check',
    when: 'of a file',
    calls: 'nothing',
    args: (fixture) => {
      fixture.write('order.html', '<p>Hi</p>');
      return ['order.html'];
    },
    prints: () => expect.objectContaining({ file: 'order.html', failed: expect.any(Number), links: null }),
    wrong: ['nowhere.eml'],
  },
  {
    command: 'emails cancel',
    calls: 'service',
    args: async (fixture) => {
      const { id } = await fixture.scheduledEmail();
      return [id, '--yes'];
    },
    unknown: ['msg_none', '--yes'],
  },
  {
    command: 'emails delete',
    calls: 'control',
    args: async (fixture) => [(await fixture.email()).id, (await fixture.email()).id, '--yes'],
    prints: () => ({ deleted: 2 }),
    wrong: ['--search=form:ada', '--yes'],
    unknown: ['msg_none', '--yes'],
  },
  {
    command: 'emails mark',
    calls: 'control',
    args: async (fixture) => [(await fixture.email()).id],
    prints: () => ({ updated: 1 }),
    wrong: ['--search=form:ada'],
    unknown: ['msg_none'],
  },
  {
    command: 'emails mark',
    calls: 'control',
    args: async (fixture) => [(await fixture.email()).id, '--tag=todo', '--untag=done'],
    prints: () => ({ updated: 1 }),
    wrong: ['latest', '--tag=a,b'],
    unknown: ['msg_none', '--tag=todo'],
  },
  {
    command: 'emails resend',
    calls: 'control',
    args: async (fixture) => [(await fixture.email()).id],
    unknown: ['msg_none'],
  },
  {
    command: 'emails release',
    calls: 'control',
    args: async (fixture) => [(await fixture.email()).id, '--yes'],
    unknown: ['msg_none', '--yes'],
  },
  {
    command: 'emails import',
    calls: 'control',
    args: (fixture) => [fixture.write('a.eml', 'From: a@example.test\nTo: ada@example.test\n\nHi\n')],
    controlCharactersExemption: 'it prints counts',
    prints: () => ({ imported: expect.any(Number), skipped: expect.any(Number), failed: 0, failures: [] }),
    wrong: ['none.eml'],
  },
  {
    command: 'emails simulate',
    calls: 'control',
    args: async (fixture) => [(await fixture.email()).id, 'opened'],
    wrong: ['msg_1', 'exploded'],
    unknown: ['msg_none', 'opened'],
  },
];
