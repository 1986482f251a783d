import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestApp } from '../servers/app.js';

/** Lists the commands of the service's endpoints, with what each needs on the server and in its directory. */

export interface TestedCommand {
  name: string;
  /** Creates what the command needs, and returns its arguments. */
  prepare(app: TestApp, folder: string): Promise<string[]>;
  /** Whether it runs until a signal. */
  untilStopped?: true;
}

let count = 0;
const unique = () => {
  count += 1;
  return `case-${count}`;
};

const MAIL = { to: 'ada@example.test', from: 'shop@example.test', subject: 'Order', html: '<p>Thanks</p>' };

async function created(app: TestApp, path: string, body: object): Promise<Record<string, string>> {
  const { json } = await app.call('POST', path, body);
  return json.data;
}

const email = (app: TestApp, more: object = {}) => created(app, '/v1/emails', { ...MAIL, ...more });
const scheduled = (app: TestApp) => email(app, { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() });
const domain = async (app: TestApp) =>
  (await created(app, '/v1/domains', { domain: `${unique()}.example` })).domain ?? '';
const key = (app: TestApp) => created(app, '/v1/api-keys', { name: 'ci', environment: 'test', rate_limit: 60 });
const hook = (app: TestApp) =>
  created(app, '/v1/webhooks', { url: 'https://hooks.example/events', events: ['email.complained'] });

const template = (app: TestApp) =>
  created(app, '/v1/templates', {
    name: 'welcome',
    subject: 'Hi {{name}}',
    html: '<p>Hi {{name}}</p>',
    text: 'Hi',
  });

function localTemplate(folder: string, name: string, html: string): void {
  const directory = join(folder, 'templates', name);
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'template.json'), JSON.stringify({ name, subject: 'Hi {{name}}' }));
  writeFileSync(join(directory, 'body.html'), html);
}

async function after(step: Promise<unknown>, args: string[]): Promise<string[]> {
  await step;
  return args;
}

export const TESTED_COMMANDS: TestedCommand[] = [
  {
    name: 'emails send',
    prepare: async () => ['emails', 'send', ...Object.entries(MAIL).flatMap(([flag, value]) => [`--${flag}`, value])],
  },
  { name: 'emails list', prepare: async (app) => after(email(app), ['emails', 'list', '--limit', '2']) },
  {
    name: 'emails list --all',
    prepare: async (app) => after(email(app, { tags: ['all'] }), ['emails', 'list', '--all', '--tag', 'all']),
  },
  { name: 'emails get', prepare: async (app) => ['emails', 'get', (await email(app)).id ?? ''] },
  { name: 'emails get latest', prepare: async (app) => after(email(app), ['emails', 'get', 'latest']) },
  { name: 'emails cancel', prepare: async (app) => ['emails', 'cancel', (await scheduled(app)).id ?? '', '--yes'] },
  {
    name: 'templates create',
    prepare: async () => ['templates', 'create', '--name', unique(), '--subject', 's', '--html', '<p>x</p>'],
  },
  { name: 'templates list', prepare: async (app) => after(template(app), ['templates', 'list']) },
  { name: 'templates get by name', prepare: async (app) => after(template(app), ['templates', 'get', 'welcome']) },
  {
    name: 'templates update',
    prepare: async (app) => ['templates', 'update', (await template(app)).id ?? '', '--subject', 'New', '--yes'],
  },
  {
    name: 'templates delete',
    prepare: async (app) => ['templates', 'delete', (await template(app)).id ?? '', '--yes'],
  },
  {
    name: 'templates render',
    prepare: async (app) => ['templates', 'render', (await template(app)).id ?? '', '--var', 'name=Ada'],
  },
  {
    name: 'templates push',
    prepare: async (app, folder) => {
      await template(app);
      localTemplate(folder, 'welcome', '<p>Other</p>');
      localTemplate(folder, unique(), '<p>New</p>');
      return ['templates', 'push', '--force', '--yes'];
    },
  },
  { name: 'templates pull', prepare: async (app) => after(template(app), ['templates', 'pull']) },
  {
    name: 'templates diff',
    prepare: async (app, folder) => {
      await template(app);
      localTemplate(folder, 'welcome', '<p>Hi {{name}}</p>');
      return ['templates', 'diff'];
    },
  },
  { name: 'domains add', prepare: async () => ['domains', 'add', `${unique()}.example`] },
  { name: 'domains list', prepare: async (app) => after(domain(app), ['domains', 'list']) },
  { name: 'domains get', prepare: async (app) => ['domains', 'get', await domain(app)] },
  { name: 'domains verify', prepare: async (app) => ['domains', 'verify', await domain(app)] },
  { name: 'domains delete', prepare: async (app) => ['domains', 'delete', await domain(app), '--yes'] },
  {
    name: 'api-keys create',
    prepare: async () => ['api-keys', 'create', '--name', 'ci', '--environment', 'test', '--rate-limit', '60'],
  },
  { name: 'api-keys list', prepare: async (app) => after(key(app), ['api-keys', 'list']) },
  { name: 'api-keys revoke', prepare: async (app) => ['api-keys', 'revoke', (await key(app)).id ?? '', '--yes'] },
  {
    name: 'webhooks create',
    prepare: async () => ['webhooks', 'create', '--url', 'https://hooks.example/x', '--events', 'email.complained'],
  },
  { name: 'webhooks list', prepare: async (app) => after(hook(app), ['webhooks', 'list']) },
  {
    name: 'webhooks update',
    prepare: async (app) => ['webhooks', 'update', (await hook(app)).id ?? '', '--no-active', '--yes'],
  },
  { name: 'webhooks delete', prepare: async (app) => ['webhooks', 'delete', (await hook(app)).id ?? '', '--yes'] },
  {
    name: 'webhooks listen',
    untilStopped: true,
    prepare: async () => [
      ...['webhooks', 'listen', '--forward-to', ':1/x', '--events', 'email.complained'],
      ...['--public-url', `https://${unique()}.example`, '--port', '0', '--no-input'],
    ],
  },
  { name: 'analytics', prepare: async (app) => after(email(app), ['analytics']) },
  { name: 'whoami', prepare: async () => ['whoami'] },
];
