import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { exitCodeOf } from '../../../src/cli/errors/exit-codes.js';
import { openChoice } from '../../../src/cli/target/target.js';
import { planPull, planPush, pull as pullSteps, push as pushSteps, readSync } from '../../../src/cli/templates/sync.js';
import { describeResult } from '../../../src/cli/templates/sync-output.js';
import { openSyncContext } from '../../../src/cli/templates/sync-record.js';
import type { RunInProcess } from '../../support/cli/in-process.js';
import { TEST_KEY, type TestApp } from '../../support/servers/app.js';
import type { Answer, VariantProxy } from '../../support/variants/variant-proxy.js';
import { startVariantService, type VariantService } from '../../support/variants/variant-service.js';

/** Tests lists and jobs of many requests in front of a service that differs from svc. */

let app: TestApp;
let proxy: VariantProxy;
let run: RunInProcess;
let close: VariantService['close'];
const folder = mkdtempSync(join(tmpdir(), 'svc-pages-'));

beforeAll(async () => {
  ({ app, proxy, run, close } = await startVariantService());
});
afterAll(async () => {
  await close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => app.call('POST', '/_svc/reset'));

const svc = (...words: string[]) =>
  run([...words, '--base-url', proxy.baseUrl, '--api-key', TEST_KEY], {
    cwd: folder,
    env: { SVC_CONFIG_DIR: folder, SVC_DATA_DIR: join(folder, '.svc') },
  });

describe('--all', () => {
  const CAP = 2;
  const send = (subject: string) =>
    app.call('POST', '/v1/emails', { to: 'a@x.test', from: 's@x.test', subject, html: 'x' });
  /** Returns at most two items from the offset of the request, and no pagination. */
  const capped = (answer: Answer, items: (emails: { id?: string }[]) => unknown[]): Answer => {
    const { data, ...envelope } = JSON.parse(answer.body);
    return { ...answer, body: JSON.stringify({ ...envelope, data: { emails: items(data.emails) } }) };
  };

  it('reads on until a page is empty, if the service caps pages and returns no pagination', async () => {
    for (const subject of ['1', '2', '3', '4', '5']) await send(subject);
    proxy.serve(
      { name: 'capped', answer: (answer) => capped(answer, (emails) => emails.slice(0, CAP)) },
      'emails.list',
    );

    const { code, stdout } = await svc('emails', 'list', '--all', '--json');

    expect(code).toBe(0);
    const subjects = JSON.parse(stdout).emails.map(({ subject }: { subject: string }) => subject);
    expect(subjects).toEqual(['5', '4', '3', '2', '1']);
    expect(proxy.passed).toHaveLength(4);
  });

  it.each([
    ['with IDs', (email: object) => email],
    ['without IDs', ({ id: _, ...email }: { id?: string }) => email],
  ])('ends if the service returns the same page again, %s', async (_, change) => {
    await send('first');
    const first = await app.read('/v1/emails');
    const again = (answer: Answer) => capped(answer, () => first.emails.map(change));
    proxy.serve({ name: 'same page', answer: again }, 'emails.list');

    const { code, stdout } = await svc('emails', 'list', '--all', '--json');

    expect({ code, count: JSON.parse(stdout).emails.length, asked: proxy.passed.length }).toEqual({
      code: 0,
      count: 1,
      asked: 2,
    });
  });
});

it('asks a remote service for a status that svc does not have', async () => {
  const queued = { success: true, data: { emails: [] }, meta: {} };
  const answer = (given: Answer): Answer => ({ ...given, status: 200, body: JSON.stringify(queued) });
  proxy.serve({ name: 'queued', answer }, 'emails.list');

  expect(await svc('emails', 'list', '--status', 'queued')).toMatchObject({ code: 0, stdout: '' });

  expect(proxy.passed).toHaveLength(1);
  proxy.serve();
  expect(await svc('emails', 'list', '--status', 'queued')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--status'),
  });
});

describe('templates pull that fails half-way', () => {
  const pull = () => svc('templates', 'pull', 'pulled');
  const pulled = join(folder, 'pulled');
  const filesIn = () =>
    existsSync(pulled)
      ? readdirSync(pulled, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map(({ parentPath, name }) => join(parentPath, name))
          .toSorted()
          .map((file) => [file, readFileSync(file, 'utf8')])
      : undefined;
  const stored = new Map<string, string>();

  beforeEach(async () => {
    rmSync(pulled, { recursive: true, force: true });
    for (const name of ['aa', 'bb', 'cc', 'dd']) {
      const { json } = await app.call('POST', '/v1/templates', { name, subject: 'Hi', html: 'first', text: 'Hi' });
      stored.set(name, json.data.id);
    }
    proxy.serve();
  });

  async function changeAfterPull(): Promise<void> {
    expect(await pull()).toMatchObject({ code: 0 });
    for (const id of stored.values()) await app.call('PATCH', `/v1/templates/${id}`, { html: 'second' });
  }

  const WITHOUT_BODIES = (answer: Answer): Answer => ({
    ...answer,
    body: answer.body.replace(/"html":"[^"]*",?/g, ''),
  });

  it.each([
    ['a new directory', false],
    ['templates of an earlier pull', true],
  ])('at the third template of the service: %s', async (_, isUpdate) => {
    if (isUpdate) await changeAfterPull();
    const before = filesIn();
    proxy.serve({
      name: 'third refused',
      answer: (answer, attempt) => {
        if (answer.body.includes('"templates":')) return WITHOUT_BODIES(answer);
        return attempt === 3 ? { ...answer, status: 404, body: '{"error":{"message":"no such template"}}' } : answer;
      },
    });

    expect(await pull()).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('no such template') });

    expect(filesIn()).toEqual(before);
  });

  it.each([
    ['a new directory', false],
    ['templates of an earlier pull', true],
  ])('at the third template on this disk: %s', async (_, isUpdate) => {
    if (isUpdate) await changeAfterPull();
    const target = await openChoice({ kind: 'remote', baseUrl: proxy.baseUrl, apiKey: TEST_KEY, why: 'test' });
    const sync = await readSync(target.client, openSyncContext(pulled, target, {}));
    await target.finish();
    const plan = planPull(sync, true);
    // Another program replaces a directory by a file meanwhile.
    rmSync(join(pulled, 'cc'), { recursive: true, force: true });
    mkdirSync(pulled, { recursive: true });
    writeFileSync(join(pulled, 'cc'), 'of another program');
    const before = filesIn();

    expect(() => pullSteps(sync, plan)).toThrow(join(pulled, 'cc'));

    expect(filesIn()).toEqual(before);
  });
});

describe('templates push that ^C interrupts', () => {
  const push = (...flags: string[]) => svc('templates', 'push', 'mails', '--yes', '--force', ...flags);

  beforeEach(() => {
    for (const name of ['aa', 'bb', 'cc']) {
      const directory = join(folder, 'mails', name);
      mkdirSync(directory, { recursive: true });
      writeFileSync(join(directory, 'template.json'), JSON.stringify({ name, subject: 'Hi' }));
      writeFileSync(join(directory, 'body.html'), '<p>Hi</p>');
    }
  });

  it.each([
    ['in text', [], '+ aa created\n? bb may have been created\n  cc not attempted\n'],
    ['in JSON', ['--json'], expect.stringMatching(/"aa".*"applied".*"bb".*"unconfirmed".*"cc".*"not_attempted"/)],
  ])('says that the change of its last request may have been made, %s', async (_, flags, expected) => {
    const interrupt = (answer: Answer, attempt: number) => {
      if (attempt !== 2) return answer;
      process.emit('SIGINT', 'SIGINT');
      return 'never sent';
    };
    proxy.serve({ name: 'interrupted', answer: interrupt }, 'templates.create');

    expect(await push(...flags)).toEqual({
      code: 130,
      stdout: expected,
      stderr: expect.stringContaining('may have been carried out'),
    });
  });

  it('between two requests, lists the templates that were not attempted', async () => {
    proxy.serve();
    const target = await openChoice({ kind: 'remote', baseUrl: proxy.baseUrl, apiKey: TEST_KEY, why: 'test' });
    const sync = await readSync(target.client, openSyncContext(join(folder, 'mails'), target, {}));
    const plan = planPush(sync, { delete: false, force: true });

    const { steps, failure } = await pushSteps(target.client, sync, plan, () => process.emit('SIGINT', 'SIGINT'));
    await target.finish();

    expect(describeResult(steps, sync)).toBe('+ aa created\n  bb not attempted\n  cc not attempted\n');
    expect(exitCodeOf(failure?.error)).toBe(130);
    expect((await app.read('/v1/templates')).templates).toHaveLength(1);
  });
});
