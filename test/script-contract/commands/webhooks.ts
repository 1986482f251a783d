import { expect } from 'vitest';
import type { CommandSpec } from '../command-spec.js';

export const webhooks: CommandSpec[] = [
  {
    command: 'webhooks create',
    calls: 'service',
    args: () => ['--url=https://hooks.example.test/', '--events=email.sent'],
    prints: (_, answered) => ({ ...answered.at(-1)?.data, secret: expect.stringMatching(/^whsec_/) }),
    wrong: ['--url=https://hooks.example.test/', '--events=email.snet'],
    unknown: ['--url=http://hooks.example.test/', '--events=email.sent'],
  },
  {
    command: 'webhooks list',
    calls: 'service',
    args: async (fixture) => {
      await fixture.webhook();
      return [];
    },
  },
  {
    command: 'webhooks update',
    calls: 'service',
    args: async (fixture) => [(await fixture.webhook()).id, '--no-active', '--yes'],
    unknown: ['whk_none', '--no-active', '--yes'],
  },
  {
    command: 'webhooks delete',
    calls: 'service',
    args: async (fixture) => [(await fixture.webhook()).id, '--yes'],
    prints: () => ({ id: expect.stringMatching(/^whk_/), deleted: true }),
    unknown: ['whk_none', '--yes'],
  },
  { command: 'webhooks deliveries', calls: 'control', wrong: ['--event=email.snet'], unknown: ['dlv_none'] },
  {
    command: 'webhooks deliveries',
    when: 'of an email',
    calls: 'control',
    args: async (fixture) => ['--email', (await fixture.email()).id],
    unknown: ['--email=msg_none'],
  },
  {
    command: 'webhooks replay',
    calls: 'control',
    args: async (fixture) => {
      const event = await fixture.post('/_svc/events/trigger', { type: 'template.deleted', data: {} });
      return [event.id, '--to=http://127.0.0.1:1/'];
    },
    code: 1,
    prints: (_, answered) => ({ attempts: answered.at(-1)?.data.attempts }),
    wrong: ['msg_1'],
    unknown: ['evt_none'],
  },
  {
    command: 'webhooks trigger',
    calls: 'control',
    args: () => ['template.deleted', '--set=name=Hi\u001b[2J'],
    wrong: ['email.snet'],
    unknown: ['email.bounced', '--email=msg_none'],
  },
  {
    command: 'webhooks trigger',
    when: 'by triggering it',
    calls: 'control',
    args: () => ['email.bounced'],
    prints: () => ({ type: 'email.bounced', email_id: expect.stringMatching(/^msg_/), to: expect.any(String) }),
  },
  {
    command: 'webhooks secret',
    calls: 'control',
    prints: (_, answered) => ({ webhook_secret: answered.at(-1)?.data.webhook_secret }),
  },
  {
    command: 'webhooks verify',
    calls: 'nothing',
    args: () => ['--secret=whsec_hooks', `--signature=${'0'.repeat(64)}`],
    input: '{}',
    code: 3,
    prints: () => ({ valid: false, cause: expect.any(String), advice: expect.any(String) }),
    wrong: ['--secret=whsec_hooks', '--signature=0', '--body=nowhere.json'],
  },
  {
    command: 'webhooks listen',
    calls: 'data directory',
    args: () => ['--forward-to=http://127.0.0.1:1/'],
    wrong: ['--forward-to=ht tp://'],
    longRunning: {
      readyOn: 'stdout',
      trigger: (fixture) => fixture.email(),
      exits: { SIGINT: 130, SIGTERM: 143 },
    },
  },
];
