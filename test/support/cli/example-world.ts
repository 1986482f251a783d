import { createHmac } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSmtp } from '../mail/smtp-session.js';
import { type Receiver, startReceiver } from '../servers/receiver.js';
import { bytes, data, request } from '../servers/server-calls.js';
import { type DevServer, ROOT, startDev, temporaryDirectory } from './binary.js';
import { shellEnvironment } from './terminal/shell.js';

/**
 * Provides what the examples of help refer to:
 * - a local server with email, the template `welcome`, the domain `mail.example.com`, and a webhook on port 3000;
 * - a directory with `templates/`, `emails/`, `package.json` and `body.json`;
 * - the profiles `production` and `staging`.
 */
export interface ExampleWorld {
  /**
   * Creates everything again, except for the parts in `without`. Returns where an example runs, and a function that
   * fills in its ids and ports.
   */
  recreate(without?: readonly Part[]): Promise<Workspace>;
  close(): Promise<void>;
}

export type Part = 'server template' | 'template directory' | 'domain' | 'profiles';

export interface Workspace {
  cwd: string;
  env: Record<string, string>;
  /** Returns the example with the ids and ports of this world. */
  write(example: string): string;
}

/** The date that the examples refer to. */
const NOW = '2026-11-21T09:00:00Z';
/** The form of an id in an example; the prefix shows its kind. */
const SAMPLE_ID = /\b([a-z]{3})_01k9m3v5w7x9y1z3a5b7c9d1e3\b/g;
const MAIL = {
  from: 'shop@example.test',
  to: 'ada@example.test',
  subject: 'Your order',
  html: '<a href="https://example.test/reset">Reset</a>',
};
const ATTACHMENTS = [{ filename: 'a.txt', content: 'YQ==', contentType: 'text/plain' }];
const SECRET = 'whsec_1';
const BODY = '{"type":"email.delivered"}';

export async function openExampleWorld(): Promise<ExampleWorld> {
  const folder = temporaryDirectory();
  const home = folder.path;
  const dataDir = join(home, 'data');
  const configDir = join(home, 'config');
  mkdirSync(configDir);
  const dev = await startDev(['--data-dir', dataDir]);
  const remote = await startDev(['--in-memory']);
  let failing = false;
  const receiver = await startReceiver((response) => response.writeHead(failing ? 500 : 200).end());
  const shell = shellEnvironment(home, '');
  writeFileSync(join(home, 'bin/pass'), `#!/bin/sh\necho ${remote.ready.api_key}\n`, { mode: 0o755 });
  failing = true;
  const ids = await fill(dev, receiver);
  failing = false;
  // What is imported has the time of the export.
  await call(dev, 'PATCH', '/_svc/clock', { frozen: true });
  const headers = { 'content-type': 'application/gzip' };
  const remove = (path: string) => request(dev.ready, path, { method: 'DELETE' });
  const filled = await bytes(dev.ready, '/_svc/export');

  return {
    async recreate(without = []) {
      const has = (part: Part) => !without.includes(part);
      await data(dev.ready, '/_svc/import', { method: 'POST', body: filled, headers });
      await call(dev, 'PATCH', '/_svc/clock', { frozen: false });
      // Commands that wait for emails consider those of the last minute.
      await call(dev, 'POST', '/v1/emails', { ...MAIL, attachments: ATTACHMENTS });
      await call(dev, 'POST', '/_svc/settle', {});
      if (!has('domain')) await remove('/v1/domains/mail.example.com');
      if (!has('server template')) await remove(`/v1/templates/${ids.tpl}`);
      const file = { base_url: remote.ready.base_url, api_key: remote.ready.api_key };
      const profiles = has('profiles') ? { production: file, staging: file } : {};
      writeFileSync(join(configDir, 'profiles.json'), JSON.stringify({ current: 'local', profiles }));
      const cwd = mkdtempSync(join(home, 'work-'));
      layOut(cwd, has);
      const { port } = new URL(receiver.url);
      return {
        cwd,
        env: { ...shell, SVC_DATA_DIR: dataDir, SVC_CONFIG_DIR: configDir, NO_COLOR: '1' },
        write: (example) =>
          example
            .replace(SAMPLE_ID, (id, prefix: string) => ids[prefix] ?? id)
            .replace(/(localhost|(?<= )):[34]000\b/g, `$1:${port}`)
            .replace('--port 4444', '--port 0')
            .replace('5f0c…', createHmac('sha256', SECRET).update(BODY).digest('hex')),
      };
    },
    async close() {
      await Promise.all([dev.stop(), remote.stop(), receiver.close()]);
      folder.remove();
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: any response
function call({ ready }: DevServer, method: string, path: string, body?: unknown): Promise<any> {
  const json =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  return data(ready, path, { method, ...json });
}

/** Fills the server with what examples name. Returns ids by their prefix. */
async function fill(dev: DevServer, receiver: Receiver): Promise<Record<string, string>> {
  await call(dev, 'PATCH', '/_svc/clock', { now: NOW, frozen: false });
  await refusedSession(dev.ready.smtp);
  const webhook = await call(dev, 'POST', '/v1/webhooks', { url: receiver.url, events: ['email.sent'] });
  await call(dev, 'POST', '/v1/emails', { ...MAIL, to: 'bounced@simulator.test' });
  const at = new Date(Date.parse(NOW) + 3_600_000).toISOString();
  const scheduled = await call(dev, 'POST', '/v1/emails', { ...MAIL, scheduled_at: at });
  await call(dev, 'POST', '/v1/emails', { ...MAIL, attachments: ATTACHMENTS });
  // After the last attempt, when both deliveries have failed permanently.
  await call(dev, 'POST', '/_svc/clock/advance', { by: '3m' });
  const { deliveries } = await call(dev, 'GET', '/_svc/deliveries');
  const key = await call(dev, 'POST', '/v1/api-keys', { name: 'CI', environment: 'test' });
  const rule = await call(dev, 'POST', '/_svc/rules', { to: '*@corp.test', outcome: 'bounced' });
  const fault = await call(dev, 'POST', '/_svc/faults', { webhook: 'https://faults.example/*', code: 500 });
  await call(dev, 'POST', '/_svc/suppressions', { address: 'eve@example.test' });
  await call(dev, 'POST', '/v1/domains', { domain: 'mail.example.com' });
  const template = await call(dev, 'POST', '/v1/templates', starter('welcome'));
  await request(dev.ready, '/v1/emails/msg_nobody');
  const ids = { msg: scheduled.id, whk: webhook.id, dlv: deliveries[0].id, key: key.id, rul: rule.id, flt: fault.id };
  return { ...ids, tpl: template.id };
}

/** Opens an SMTP session in which a recipient is refused. */
async function refusedSession(address: DevServer['ready']['smtp']): Promise<void> {
  const session = await openSmtp(address);
  await session.reply();
  for (const command of ['EHLO app.example.test', 'MAIL FROM:<shop@example.test>', 'RCPT TO:<ada>', 'QUIT'])
    await session.say(command);
  session.socket.end();
}

/** Creates the directory that examples run in: starter templates as a user has copied them, and the files of flags. */
function layOut(cwd: string, has: (part: Part) => boolean): void {
  const directories = has('template directory') ? ['templates/welcome', 'emails/welcome'] : ['emails/welcome'];
  for (const directory of directories)
    cpSync(join(ROOT, 'templates/welcome'), join(cwd, directory), { recursive: true });
  const test = { name: 'app', private: true, scripts: { test: 'echo tested with $SVC_BASE_URL' } };
  writeFileSync(join(cwd, 'package.json'), JSON.stringify(test));
  writeFileSync(join(cwd, 'body.json'), BODY);
}

/** Returns a starter template as `svc templates push` would send it. */
function starter(name: string): Record<string, string> {
  const read = (file: string) => readFileSync(join(ROOT, 'templates', name, file), 'utf8');
  return { ...JSON.parse(read('template.json')), html: read('body.html'), text: read('body.txt') };
}
