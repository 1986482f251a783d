import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevServer, startDev, svc, temporaryDirectory } from '../support/binary.js';
import { answers, refuses, startScripted } from '../support/scripted-server.js';
import { bytes, request } from '../support/server-calls.js';
import { runTool } from '../support/tools.js';

describe('reading an email', () => {
  const folder = temporaryDirectory();
  const dataDir = ['--data-dir', join(folder.path, 'data')];
  const content = Buffer.from([0, 255, 13, 10, 27, 91]);
  let dev: DevServer;
  let id: string;

  beforeAll(async () => {
    dev = await startDev(dataDir);
    const response = await request(dev.ready, '/v1/emails', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        to: 'ada@example.test',
        from: 'Shop <shop@example.test>',
        subject: 'Grüße\u202e',
        html: '<p>hé</p>\r\n',
        text: 'hé',
        attachments: [
          { filename: '../../evil.pdf', content: content.toString('base64'), contentType: 'application/pdf' },
          { filename: 'no extension', content: 'eA==', contentType: 'text/plain' },
        ],
      }),
    });
    ({ id } = ((await response.json()) as { data: { id: string } }).data);
  });

  afterAll(async () => {
    await dev.stop();
    folder.remove();
  });

  const get = (...args: string[]) => svc(['emails', 'get', 'latest', ...args, ...dataDir], { cwd: folder.path });

  it('prints HTML and text exactly', async () => {
    expect(await get('--html')).toEqual({ code: 0, stdout: '<p>hé</p>\r\n', stderr: '' });
    expect(await get('--text')).toEqual({ code: 0, stdout: 'hé', stderr: '' });
  });

  it('prints the message as the server has it, which another parser reads', async () => {
    const { stdout } = await get('--raw');

    expect(stdout).toBe((await bytes(dev.ready, `/_svc/emails/${id}/raw`)).toString());
    const script =
      'import sys, email.policy as p, email; print(email.message_from_file(sys.stdin, policy=p.default)["to"])';
    expect((await runTool('python3', ['-c', script], stdout)).trim()).toBe('ada@example.test');
  });

  it('prints headers, each on one line', async () => {
    const { stdout } = await get('--headers');
    expect(stdout).toMatch(/^From: .*shop@example\.test/m);
    for (const line of stdout.trimEnd().split('\n')) expect(line).toMatch(/^[\x21-\x39\x3b-\x7e]+: /);

    const { headers } = JSON.parse((await get('--headers', '--json')).stdout);
    expect(headers).toContainEqual({ name: 'To', value: 'ada@example.test' });
  });

  it('lists attachments', async () => {
    const { stdout } = await get('--attachments');
    expect(stdout).toMatch(/1 +6 +application\/pdf +\S*evil\.pdf\n2 +1 +text\/plain +no extension\n$/);
  });

  it('saves message and attachments under its own names, and overwrites nothing', async () => {
    const { code, stdout } = await get('--save', 'saved', '--json');

    expect(code).toBe(0);
    const saved = join(folder.path, 'saved');
    const names = [`${id}-1.pdf`, `${id}-2.bin`, `${id}.eml`];
    expect(readdirSync(saved).sort()).toEqual(names);
    expect(JSON.parse(stdout).files.sort()).toEqual(names.map((name) => join(saved, name)));
    expect(readFileSync(join(saved, `${id}-1.pdf`))).toEqual(content);

    writeFileSync(join(saved, `${id}.eml`), 'mine');
    const again = await get('--save', 'saved');
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('is there already. Nothing was written.');
    expect(readFileSync(join(saved, `${id}.eml`), 'utf8')).toBe('mine');
  });

  it('writes through no link', async () => {
    const other = temporaryDirectory();
    symlinkSync(join(folder.path, 'target'), join(other.path, `${id}.eml`));

    expect((await get('--save', other.path)).code).toBe(1);

    expect(readdirSync(folder.path)).not.toContain('target');
    other.remove();
  });

  it('refuses two views at once', async () => {
    const { code, stderr } = await get('--html', '--raw');
    expect(code).toBe(2);
    expect(stderr).toContain('--html');
  });

  it.each(['--raw', '--headers', '--attachments', '--save=x'])('says that %s needs a local server', async (flag) => {
    const email = answers({ id: 'msg_1', html: '<p>x</p>', tags: [] });
    const remote = await startScripted([
      (response, asked) => (asked.path === '/v1/emails/msg_1' ? email : refuses(404, 'not_found'))(response, asked),
    ]);

    const { code, stdout, stderr } = await svc(
      ['emails', 'get', 'msg_1', flag, '--base-url', remote.baseUrl, '--api-key', 'svc_test_x'],
      { cwd: folder.path },
    );

    await remote.close();
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('local servers alone have a control API');
  });
});
