import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { svc, temporaryDirectory } from '../../support/cli/binary.js';
import { runTool } from '../../support/cli/tools.js';
import { answers, refuses, startScripted } from '../../support/servers/scripted-server.js';
import { bytes, data as call } from '../../support/servers/server-calls.js';
import { onEveryLocalServer, onEveryServer, type Service } from '../../support/servers/service.js';

const CONTENT = Buffer.from([0, 255, 13, 10, 27, 91]);
const MAIL = {
  to: 'ada@example.test',
  from: 'Shop <shop@example.test>',
  subject: 'Grüße\u202e',
  html: '<p>hé</p>\r\n',
  text: 'hé',
  // A pixel would contain the server's port, which changes with each run.
  track_opens: false,
  attachments: [
    { filename: '..evil.pdf', content: CONTENT.toString('base64'), contentType: 'application/pdf' },
    { filename: 'no extension', content: 'eA==', contentType: 'text/plain' },
  ],
};

/** Sends the email as an application does. Returns its id. */
async function send({ reach }: Service): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const { id } = await reach((ready) =>
    call(ready, '/v1/emails', { method: 'POST', headers, body: JSON.stringify(MAIL) }),
  );
  return id;
}

const get = ({ run }: Service, ...args: string[]) => run(['emails', 'get', 'latest', ...args]);

onEveryServer('reading an email', (service) => {
  it('prints HTML and text exactly', async () => {
    await send(service);

    expect(await get(service, '--html')).toMatchObject({ code: 0, stdout: '<p>hé</p>\r\n' });
    expect(await get(service, '--text')).toMatchObject({ code: 0, stdout: 'hé' });
  });
});

onEveryLocalServer('reading the message of an email', (service) => {
  const { folder } = service;
  let id: string;

  beforeAll(async () => {
    id = await send(service);
  });

  it('prints it as the server has it, which another parser reads', async () => {
    const { stdout } = await get(service, '--raw');

    const held = await service.reach((ready) => bytes(ready, `/_svc/emails/${id}/raw`));
    expect(stdout).toBe(held.toString());
    const script =
      'import sys, email.policy as p, email; print(email.message_from_file(sys.stdin, policy=p.default)["to"])';
    expect((await runTool('python3', ['-c', script], stdout)).trim()).toBe('ada@example.test');
  });

  it('prints headers, each on one line', async () => {
    const { stdout } = await get(service, '--headers');
    expect(stdout).toMatch(/^From: .*shop@example\.test/m);
    for (const line of stdout.trimEnd().split('\n')) expect(line).toMatch(/^[\x21-\x39\x3b-\x7e]+: /);

    const { headers } = JSON.parse((await get(service, '--headers', '--json')).stdout);
    expect(headers).toContainEqual({ name: 'To', value: 'ada@example.test' });
  });

  it('lists attachments', async () => {
    const { stdout } = await get(service, '--attachments');
    expect(stdout).toMatch(/1 +6 +application\/pdf +\S*evil\.pdf\n2 +1 +text\/plain +no extension\n$/);
  });

  it('saves message and attachments under its own names, and overwrites nothing but its own page', async () => {
    const { code, stdout } = await get(service, '--save', 'saved', '--json');

    expect(code).toBe(0);
    const saved = join(folder, 'saved');
    const names = ['index.html', `${id}-1.pdf`, `${id}-2.bin`, `${id}.eml`, `${id}.html.txt`];
    expect(readdirSync(saved).sort()).toEqual(names);
    expect(JSON.parse(stdout).files.sort()).toEqual(names.map((name) => join(saved, name)));
    expect(readFileSync(join(saved, `${id}-1.pdf`))).toEqual(CONTENT);
    expect(readFileSync(join(saved, `${id}.html.txt`), 'utf8')).toBe(MAIL.html);

    writeFileSync(join(saved, `${id}.eml`), 'mine');
    const again = await get(service, '--save', 'saved');
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('already exists. Nothing was written.');
    expect(readFileSync(join(saved, `${id}.eml`), 'utf8')).toBe('mine');

    for (const name of names.slice(1)) rmSync(join(saved, name));
    expect((await get(service, '--save', 'saved')).code).toBe(0);
    expect(readdirSync(saved).sort()).toEqual(names);

    for (const name of names) rmSync(join(saved, name));
    writeFileSync(join(saved, 'index.html'), 'mine');
    expect((await get(service, '--save', 'saved')).stderr).toContain('index.html already exists. Nothing was written.');
    expect(readdirSync(saved)).toEqual(['index.html']);
  });

  it('opens a page that shows it in the browser', async () => {
    const browser = join(folder, 'browser');
    writeFileSync(browser, `#!/bin/sh\necho "$@" > ${join(folder, 'shown')}\n`, { mode: 0o755 });

    const { code, stdout } = await service.run(['emails', 'open'], {
      env: { BROWSER: `${join(folder, 'missing')}:${browser} --new`, TMPDIR: folder },
    });

    expect(code).toBe(0);
    const shown = readFileSync(join(folder, 'shown'), 'utf8');
    if (service.kind === 'local') {
      expect(stdout).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:\\d+/inbox/emails/${id}\\n$`));
      expect(shown).toMatch(/^--new (?:http|file):/);
      return;
    }
    expect(shown).toBe(`--new ${pathToFileURL(stdout.trim())}\n`);
    const page = readFileSync(stdout.trim(), 'utf8');
    expect(page).toMatch(/srcdoc="[^"]*&lt;base target=&quot;_blank&quot;&gt;&lt;p&gt;hé&lt;\/p&gt;\r\n"/);
    expect(page).toMatch(/<iframe title="Email" sandbox="allow-popups allow-popups-to-escape-sandbox" /);

    const none = await service.run(['emails', 'open', 'latest', '--json'], {
      env: { BROWSER: join(folder, 'missing'), TMPDIR: folder, DISPLAY: '', WAYLAND_DISPLAY: '' },
    });
    expect(JSON.parse(none.stdout)).toMatchObject({ id, opened: false });
  });

  it('does not write through symbolic links', async () => {
    const other = temporaryDirectory();
    symlinkSync(join(folder, 'target'), join(other.path, `${id}.eml`));

    expect((await get(service, '--save', other.path)).code).toBe(1);

    expect(readdirSync(folder)).not.toContain('target');
    other.remove();
  });

  it('prints the HTML as delivered, with tracked links', async () => {
    const { id } = await service.data([
      'emails',
      'send',
      '--to',
      'a@example.test',
      '--html',
      '<a href="https://x.test/">x</a>',
    ]);
    const { delivered } = await service.data(['emails', 'get', id, '--delivered']);
    expect(delivered).not.toContain('https://x.test/"');
    expect(delivered).toMatch(/<a href="http:\/\/[^"]+">x<\/a>/);
  });
});

it('the message of an email on a service without a control API is not available, with the reason', async () => {
  const email = answers({ id: 'msg_1', html: '<p>x</p>', tags: [] });
  const remote = await startScripted([
    (response, asked) => (asked.path === '/v1/emails/msg_1' ? email : refuses(404, 'not_found'))(response, asked),
  ]);
  const named = ['--base-url', remote.baseUrl, '--api-key', 'svc_test_x'];

  const { code, stdout, stderr } = await svc(['emails', 'get', 'msg_1', '--raw', ...named]);

  await remote.close();
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(
    `"svc emails get --raw" needs the control API of a local server, and ${remote.baseUrl} does not have one.`,
  );
  expect(stderr).toContain('pass --profile local');
});
