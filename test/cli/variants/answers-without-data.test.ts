import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunInProcess } from '../../support/cli/in-process.js';
import { TEST_KEY, type TestApp } from '../../support/servers/app.js';
import type { VariantProxy } from '../../support/variants/variant-proxy.js';
import { startVariantService, type VariantService } from '../../support/variants/variant-service.js';

/** Tests what scripts and people see of a service whose answers have no data, or lack fields. */

const folder = mkdtempSync(join(tmpdir(), 'svc-no-data-'));
let app: TestApp;
let proxy: VariantProxy;
let run: RunInProcess;
let close: VariantService['close'];

beforeAll(async () => {
  ({ app, proxy, run, close } = await startVariantService());
});
afterAll(async () => {
  await close();
  rmSync(folder, { recursive: true });
});

const svc = (...words: string[]) =>
  run([...words, '--base-url', proxy.baseUrl, '--api-key', TEST_KEY], {
    cwd: folder,
    env: { SVC_CONFIG_DIR: folder, SVC_DATA_DIR: join(folder, '.svc') },
  });

const MAIL = { to: 'ada@example.test', from: 'shop@example.test', subject: 'Order', html: '<p>Thanks</p>' };

async function created(path: string, body: object): Promise<{ id: string }> {
  return (await app.call('POST', path, body)).json.data;
}

it.each([
  ['status 204', 204, ''],
  ['an empty body', 200, ''],
  ['an envelope with empty data', 200, '{"success":true,"data":{}}'],
])('prints with --json what the request names: %s', async (_, status, body) => {
  const scheduled_at = new Date(Date.now() + 3_600_000).toISOString();
  const email = await created('/v1/emails', { ...MAIL, scheduled_at });
  const template = await created('/v1/templates', { name: `t${status}${body.length}`, subject: 's', html: 'x' });
  const hook = await created('/v1/webhooks', { url: 'https://hooks.example/x', events: ['email.bounced'] });
  proxy.serve({ name: 'no data', answer: (answer) => (answer.status < 300 ? { ...answer, status, body } : answer) });
  const printed = async (...words: string[]) => {
    const { code, stdout, stderr } = await svc(...words, '--yes', '--json');
    expect({ code, warning: JSON.parse(stderr).warning.message }).toMatchObject({
      code: 0,
      warning: expect.stringContaining('The request succeeded'),
    });
    return JSON.parse(stdout);
  };

  expect(await printed('emails', 'cancel', email.id)).toEqual({ id: email.id });
  expect(await printed('templates', 'update', template.id, '--subject', 'New')).toEqual({ id: template.id });
  expect(await printed('webhooks', 'update', hook.id, '--no-active')).toEqual({ id: hook.id });
  // Nothing is known of what was created. `jq -e` and `JSON.parse(…).id` fail.
  const send = ['--to', MAIL.to, '--from', MAIL.from, '--subject', MAIL.subject, '--html', MAIL.html];
  expect(await printed('emails', 'send', ...send)).toBeNull();
  expect(await printed('templates', 'create', '--name', 'new', '--subject', 's', '--html', 'x')).toBeNull();
  await app.call('POST', '/_svc/reset');
});

it('prints a hyphen for a field that the service does not return, so that columns stay in place', async () => {
  await created('/v1/emails', MAIL);
  const without = ['status', 'to', 'subject', 'created_at'];
  proxy.serve({
    name: 'four fields less',
    answer: (answer) => ({
      ...answer,
      body: JSON.stringify(JSON.parse(answer.body), (key, value) => (without.includes(key) ? undefined : value)),
    }),
  });

  const { code, stdout } = await svc('emails', 'list');

  expect(code).toBe(0);
  const [titles, row] = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/));
  expect(row).toHaveLength(titles?.length ?? 0);
  expect(row?.filter((cell) => cell === '-')).toHaveLength(without.length);
});
