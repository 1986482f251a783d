import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunInProcess } from '../../support/cli/in-process.js';
import { TEST_KEY, type TestApp } from '../../support/servers/app.js';
import type { VariantProxy } from '../../support/variants/variant-proxy.js';
import { startVariantService, type VariantService } from '../../support/variants/variant-service.js';
import { variantsOf } from '../../support/variants/variants.js';

let app: TestApp;
let proxy: VariantProxy;
let run: RunInProcess;
let close: VariantService['close'];
const folder = mkdtempSync(join(tmpdir(), 'svc-check-'));

beforeAll(async () => {
  ({ app, proxy, run, close } = await startVariantService());
  await app.call('POST', '/v1/emails', { to: 'a@x.test', from: 's@x.test', subject: 'Hi', html: '<p>Hi</p>' });
  await app.call('POST', '/v1/templates', { name: 'welcome', subject: 'Hi', html: '<p>Hi</p>' });
  await app.call('POST', '/v1/domains', { domain: 'shop.example' });
  const profiles = { real: { base_url: proxy.baseUrl, api_key: TEST_KEY } };
  writeFileSync(join(folder, 'profiles.json'), JSON.stringify({ current: 'real', profiles }), { mode: 0o600 });
});

afterAll(async () => {
  await close();
  rmSync(folder, { recursive: true });
});

const check = (...flags: string[]) =>
  run(['profiles', 'check', 'real', '--retries', '0', ...flags], {
    cwd: folder,
    env: { SVC_CONFIG_DIR: folder, SVC_DATA_DIR: join(folder, '.svc') },
  });

/** Serves one variant, by its name. */
function serve(operation: Parameters<typeof variantsOf>[0], name: string): void {
  proxy.serve(
    variantsOf(operation).find((each) => each.name === name),
    operation,
  );
}

describe('svc profiles check', () => {
  it('finds no difference in svc itself, and only reads', async () => {
    proxy.serve();

    const { code, stdout, stderr } = await check();

    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('No differences in 9 endpoints.');
    expect([...new Set(proxy.passed.map(({ operation }) => operation.replace(/^.*\./, '')))].sort()).toEqual([
      'emails',
      'get',
      'list',
    ]);
  });

  it.each([
    ['emails.list', 'emails.*.to in another type', 3, 'data.emails[].to', true],
    ['emails.list', 'pagination missing', 3, 'data.pagination', true],
    ['emails.list', 'without meta', 3, 'meta.request_id', true],
    ['emails.list', 'status 201', 0, 'status', false],
    ['templates.list', 'templates.*.html missing', 0, 'data.templates[].html', false],
    ['analytics.emails', 'by_date.*.opened missing', 0, 'data.by_date[].opened', false],
    ['emails.get', 'with more fields', 3, 'data.extra', true],
    ['domains.list', '403 error text', 3, 'answer', true],
    ['analytics.emails', 'a page', 3, 'answer', true],
    ['emails.get', '403 problem+json', 3, 'content-type', true],
  ] as const)('reports %s, %s', async (operation, name, expected, field, specified) => {
    serve(operation, name);

    const { code, stdout } = await check('--json');

    const { differences } = JSON.parse(stdout);
    expect(differences).toContainEqual(expect.objectContaining({ field, specified }));
    expect(code).toBe(expected);
  });

  it.each([
    ['emails.get', 'wrapped in its name', 'wrapped in "email"', true],
    ['domains.get', 'wrapped in its name', 'wrapped in "domain"', false],
    ['emails.list', 'as an array', 'an array, not "emails"', true],
    ['emails.list', 'named items', 'the list is "items", not "emails"', true],
    ['webhooks.list', 'one level deeper', 'a list one level deeper, not "webhooks"', false],
  ] as const)('compares the resource of %s, %s', async (operation, name, found, specified) => {
    serve(operation, name);

    const { stdout } = await check('--json');

    const { differences } = JSON.parse(stdout);
    const ofData = differences.filter(({ field }: { field: string }) => field !== 'data.pagination');
    expect(ofData).toEqual([expect.objectContaining({ field: 'data', found, specified })]);
  });

  it('is not for the local server', async () => {
    const { code, stderr } = await run(['profiles', 'check', 'local'], {
      cwd: folder,
      env: { SVC_CONFIG_DIR: folder },
    });

    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('needs no check') });
  });

  it('reports a refused key as such, not as a difference', async () => {
    proxy.serve();
    const { code, stderr } = await check('--api-key', 'svc_test_00000000000000000000000000000000');
    expect({ code, stderr }).toMatchObject({ code: 4, stderr: expect.stringContaining('Error: ') });
  });
});
