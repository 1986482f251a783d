import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { svc } from '../../support/cli/binary.js';
import { folderOfEachTest } from '../../support/each-test.js';

const folder = folderOfEachTest();

const run = (...args: string[]) =>
  svc(['templates', ...args], { cwd: folder.path, env: { SVC_DATA_DIR: join(folder.path, 'data') } });

function write(name: string, { subject = 'Hi', html = `<p>${name}</p>` } = {}): void {
  mkdirSync(join(folder.path, 'emails', name), { recursive: true });
  writeFileSync(join(folder.path, 'emails', name, 'template.json'), JSON.stringify({ name, subject }));
  writeFileSync(join(folder.path, 'emails', name, 'body.html'), html);
}

it('sends nothing if the server would refuse a file, and names it', async () => {
  write('aa');
  write('bb', { html: 'x'.repeat(1_100_000) });
  const problem = 'emails/bb/body.html: has 1,100,000 bytes in UTF-8; the limit is 1,048,576';

  const dry = await run('push', 'emails', '--dry-run');
  const pushed = await run('push', 'emails');
  const compared = await run('diff', 'emails');

  expect([dry.code, dry.stderr]).toEqual([1, `Not pushed: ${problem}. Nothing was changed.\n`]);
  expect([pushed.code, pushed.stdout]).toEqual([1, '']);
  expect(pushed.stderr).toContain(`Error: Not pushed: ${problem}. Nothing was changed.`);
  expect([compared.code, compared.stderr]).toEqual([3, `warning: ${problem}.\n`]);
  expect((await run('list')).stdout).toBe('');
});

it('warns of placeholders that are sent as they are', async () => {
  write('ten', { subject: 'Hi {{name', html: '<p>\n{{#if}}</p>' });
  const problems = [
    'emails/ten/template.json (subject):1:4: "{{name" is not a placeholder',
    'emails/ten/body.html:2:1: "{{#if}}" is not a placeholder',
  ];

  const dry = await run('push', 'emails', '--dry-run', '--json');
  const pushed = await run('push', 'emails');

  expect(JSON.parse(dry.stdout)).toMatchObject({
    errors: [],
    warnings: problems.map((each) => ({ message: each.slice(each.indexOf(': ') + 2) })),
  });
  expect([pushed.code, pushed.stdout]).toEqual([0, '+ ten created\n']);
  for (const problem of problems) expect(pushed.stderr).toContain(`warning: ${problem}; it is sent unchanged.\n`);
});

it('pushes, compares and pulls named templates, and counts the equal ones', async () => {
  for (const name of ['aa', 'bb', 'cc']) write(name);

  expect(await run('push', 'emails', 'aa', 'bb')).toMatchObject({ stdout: '+ aa created\n+ bb created\n' });
  write('aa', { html: 'new' });
  expect((await run('diff', 'emails', 'cc')).stdout).toBe('+ cc not on the server\n');
  const all = await run('push', 'emails');
  expect([all.stdout, all.stderr]).toEqual([
    '~ aa updated (html)\n+ cc created\n',
    'Pushed: 1 created, 1 updated, 1 unchanged.\n',
  ]);
  expect(await run('push', 'emails', 'ab')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/Template "ab" not found.*\nDid you mean "aa"\?/),
  });
});

it('names only the templates in conflict in its hint', async () => {
  for (const name of ['aa', 'bb']) write(name);
  await run('push', 'emails');
  await run('update', 'bb', '--subject', 'Theirs', '--yes');
  for (const name of ['aa', 'bb']) write(name, { html: 'mine' });

  const { code, stderr } = await run('push', 'emails');

  expect(code).toBe(1);
  expect(stderr).toContain(
    '"svc templates pull emails bb --force", or overwrite it with "svc templates push emails bb',
  );
  expect((await run('pull', 'emails', 'bb', '--force')).code).toBe(0);
  expect(readFileSync(join(folder.path, 'emails/aa/body.html'), 'utf8')).toBe('mine');
  expect((await run('push', 'emails')).stdout).toBe('~ aa updated (html)\n');
});

it('reports what was done, and what was not attempted, if the server refuses a template', async () => {
  for (const name of ['aa', 'bb', 'cc']) write(name);
  const meta = { request_id: 'req_1', timestamp: '2026-01-01T00:00:00.000Z' };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const answer = (status: number, content: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ ...content, meta }));
    if (request.method === 'GET') {
      const pagination = { total: 0, limit: 100, offset: 0, has_more: false };
      return answer(200, { success: true, data: { templates: [], pagination } });
    }
    const sent = JSON.parse(body);
    const error = { code: 'validation_error', message: 'html: is not liked', status: 422 };
    if (sent.name === 'bb') return answer(422, { success: false, error });
    const at = meta.timestamp;
    return answer(201, { success: true, data: { id: 'tpl_1', ...sent, created_at: at, updated_at: at } });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const remote = ['push', 'emails', '--force', '--yes', '--base-url', baseUrl, '--api-key', 'svc_test_remote1234567'];

  const text = await run(...remote);
  const json = await run(...remote, '--json');
  server.close();

  expect([text.code, text.stdout]).toEqual([1, '+ aa created\n! bb failed\n  cc not attempted\n']);
  expect(text.stderr).toContain('Error: Template "bb": html: is not liked');
  expect(JSON.parse(json.stdout)).toMatchObject({
    applied: false,
    steps: [
      { name: 'aa', result: 'applied' },
      { name: 'bb', result: 'failed' },
      { name: 'cc', result: 'not_attempted' },
    ],
  });
  expect(JSON.parse(json.stderr).error.message).toBe('Template "bb": html: is not liked');
});
