import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunInProcess } from '../../support/cli/in-process.js';
import { TEST_KEY, type TestApp } from '../../support/servers/app.js';
import type { VariantProxy } from '../../support/variants/variant-proxy.js';
import { startVariantService, type VariantService } from '../../support/variants/variant-service.js';

/** Tests the sync of templates with a service that never returns their text. */

const folder = mkdtempSync(join(tmpdir(), 'svc-texts-'));
let app: TestApp;
let proxy: VariantProxy;
let run: RunInProcess;
let close: VariantService['close'];

beforeAll(async () => {
  ({ app, proxy, run, close } = await startVariantService());
  proxy.serve({
    name: 'no text',
    answer: (answer) => ({ ...answer, body: answer.body.replace(/,"text":"[^"]*"/g, '') }),
  });
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

it('keeps the text of a template that a push does not name, and pushes one that it does', async () => {
  const { json } = await app.call('POST', '/v1/templates', { name: 'welcome', subject: 'Hi', html: 'a', text: 'kept' });
  const stored = async () => (await app.read(`/v1/templates/${json.data.id}`)) as { html: string; text: string };
  const file = (name: string, content: string) => writeFileSync(join(folder, 'mails', 'welcome', name), content);
  const push = () => svc('templates', 'push', 'mails', '--yes');

  expect(await svc('templates', 'pull', 'mails')).toMatchObject({ code: 0 });
  file('body.html', 'b');
  expect(await push()).toMatchObject({ code: 0, stdout: expect.stringContaining('(html)') });
  expect(await stored()).toMatchObject({ html: 'b', text: 'kept' });

  file('body.txt', 'mine');
  expect(await push()).toMatchObject({ code: 0, stdout: expect.stringContaining('(text)') });
  expect(await stored()).toMatchObject({ html: 'b', text: 'mine' });
  expect(await svc('templates', 'diff', 'mails')).toMatchObject({ code: 0 });
});
