import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { svc, temporaryDirectory } from '../../support/cli/binary.js';
import { expectHint, hintOf } from '../../support/cli/refusal.js';
import { startScripted } from '../../support/servers/scripted-server.js';

const folder = temporaryDirectory();
const run = (args: string[]) => svc(args, { cwd: folder.path, env: { SVC_DATA_DIR: join(folder.path, 'data') } });
const template = ['templates', 'create', '--name', 'welcome', '--subject', 'Hi', '--html', '<p>Hi</p>'];
const domain = ['domains', 'add', 'mail.example.test'];

const LISTS_DETAILS = 'error.details lists each invalid parameter.';
const READ = 'Read the reference.';

describe('the advice after a refusal', () => {
  beforeAll(async () => {
    writeFileSync(join(folder.path, 'cut.tgz'), 'no archive');
    for (const args of [template, domain]) expect((await run(args)).code).toBe(0);
  });
  afterAll(() => folder.remove());

  it('names the other secret of a webhook, and counts deliveries that are retried if none has failed', async () => {
    const other = temporaryDirectory();
    const inOther = (...args: string[]) => svc(args, { env: { SVC_DATA_DIR: other.path } });
    const created = await inOther('webhooks', 'create', '--url', 'http://localhost:1', '--events', 'email.sent');
    expect(created.stderr).toContain('pass --secret "$(svc webhooks secret)"');
    await inOther('webhooks', 'trigger', 'email.sent');

    const { stderr } = await inOther('webhooks', 'deliveries', '--failed');

    expect(stderr).toBe('No deliveries match. 1 pending has attempts left: list them with --pending.\n');
    other.remove();
  });

  it('names the existing webhook, for deliveries to one that does not exist', async () => {
    const deliveries = ['webhooks', 'deliveries', '--webhook'];
    const created = await run([
      'webhooks',
      'create',
      '--url',
      'http://localhost:1',
      '--events',
      'email.sent',
      '--json',
    ]);
    const { id } = JSON.parse(created.stdout);

    expect(await run([...deliveries, id])).toMatchObject({ code: 0, stderr: 'No deliveries match.\n' });
    expect((await run([...deliveries, 'whk_nobody'])).stderr).toMatch(/^Error: Webhook "whk_nobody" not found\.\n/);
    await expectHint(run, [...deliveries, `${id}x`], 1, `Did you mean ${id}?`);
  });

  it.each([
    ['no failed delivery', ['webhooks', 'replay', '--failed'], /^Run "svc webhooks deliveries"/],
    ['a template name in use', template, /^Choose another name/],
    ['a domain that already exists', domain, /^Publish its DNS records/],
    ['an invalid archive', ['dev', 'import', 'cut.tgz', '--yes'], /^Nothing was changed\. svc dev export makes/],
    ['an address that is not suppressed', ['suppressions', 'remove', 'a@b.test'], /^Run "svc suppressions list"/],
    ['an unknown DNS record', ['domains', 'dns', '--unpublish', 'foo'], /^Run "svc domains dns"/],
  ])('fits the error: %s', async (_, args, advice) => {
    const hint = hintOf((await run(args)).stderr);

    expect(hint).toMatch(advice);
    await expectHint(run, args, 1, hint);
  });

  it.each([
    ['is omitted if it refers to listed fields', [{ path: 'limit', message: 'is invalid' }], LISTS_DETAILS, ''],
    ['is printed for listed fields otherwise', [{ path: 'limit', message: 'is invalid' }], READ, `${READ}\n`],
    ['is printed for a whole request', [], READ, `${READ}\n`],
  ])('of another server %s', async (_, details, hint, printed) => {
    const error = { code: 'validation_error', message: 'limit: is invalid', status: 400, details };
    const scripted = await startScripted([
      (response) => {
        response.writeHead(400, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ success: false, error: { ...error, hint } }));
      },
    ]);
    const { stderr } = await run(['emails', 'list', '--base-url', scripted.baseUrl, '--api-key', 'svc_test_1']);
    await scripted.close();

    expect(stderr.slice(stderr.indexOf('Error:'))).toBe(`Error: limit: is invalid\n${printed}`);
  });
});
