import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BINARY, type DevServer, start, startDev, svc, temporaryDirectory } from '../support/cli/binary.js';
import { openTerminal, type Terminal } from '../support/cli/terminal/terminal.js';
import { deliver } from '../support/mail/smtp-session.js';
import { answers, type ScriptedServer, startScripted } from '../support/servers/scripted-server.js';
import { data, newestParsed } from '../support/servers/server-calls.js';

/** Tests that text of emails, servers and files on a terminal is shown, and neither executed nor hidden. */

/** Controls, colours as svc prints them, a title, a link, directions of writing, and invisible characters. */
const CONTROLS = '\u001b[31mred\u001b[0m\u001b]0;title\u0007\u009b2J\u001b]8;;http://evil.test\u001b\\link\u007f';
const UNSEEN = '\u061c\u200b\u200e\u202e\u2028\u2029\u2060\u2066\u3164\u00ad\ufeff\u{e0041}\u{e0100}\u{1d173}';
const HOSTILE = `x${CONTROLS}${UNSEEN}end`;
/** Text written with joiners and variation selectors. */
const WRITTEN = '👩‍👩‍👧‍👦 🏳️‍🌈 1️⃣ ❤️ می‌خواهم क्‍ष 辻󠄀';
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds them
const OBEYED = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;
const HIDDEN = /[\u061c\u200b\u200e\u202e\u2028\u2029\u2060\u2066\u3164\u00ad\ufeff\u{e0041}\u{1d173}]/u;
/** The colours that svc gives a status. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control sequences
const STATUS = /\u001b\[(?:2|31|32|33)m(?:\w+|█+|▓+|▒+)\u001b\[0m/g;

describe('text of an email', () => {
  const folder = temporaryDirectory();
  const env = { SVC_DATA_DIR: join(folder.path, 'data'), FORCE_COLOR: '1' };
  let dev: DevServer;

  beforeAll(async () => {
    dev = await startDev(['--data-dir', env.SVC_DATA_DIR, '--plan', 'none']);
    const subject = `=?utf-8?B?${Buffer.from(`${HOSTILE} ${WRITTEN}`).toString('base64')}?=`;
    const head = `Subject: ${subject}\r\nContent-Type: text/plain; charset=utf-8\r\n`;
    expect(await deliver(dev.ready.smtp, `${head}\r\n${HOSTILE} ${WRITTEN}\r\n`)).toMatch(/^250/);
    await newestParsed(dev.ready);
  });
  afterAll(async () => {
    await dev.stop();
    folder.remove();
  });

  it.each([[['emails', 'list']], [['emails', 'get', 'latest']], [['emails', 'inspect', 'latest']]])(
    'keeps what is written, without control or hidden characters, in svc %j, with colours',
    async (args) => {
      const { code, stdout } = await svc(args, { env });

      expect(code).toBe(0);
      const text = stdout.replace(STATUS, '');
      expect(text).toContain('end');
      expect(text).not.toMatch(OBEYED);
      expect(text).not.toMatch(HIDDEN);
      expect(text).toContain(WRITTEN);
    },
  );

  it('means the same in JSON, on one line for every program', async () => {
    const { stdout } = await svc(['emails', 'list', '--json'], { env });

    expect(stdout.trimEnd()).not.toMatch(OBEYED);
    expect(stdout).not.toMatch(HIDDEN);
    const { emails } = await data(dev.ready, '/v1/emails');
    expect(JSON.parse(stdout).emails[0].subject).toBe(emails[0].subject);
    expect(emails[0].subject).toContain('\u2028\u2029');
  });
});

describe('text of a server', () => {
  let server: ScriptedServer | undefined;
  afterEach(() => server?.close());

  const email = { id: HOSTILE, to: HOSTILE, from: HOSTILE, subject: HOSTILE, status: HOSTILE, tags: [HOSTILE] };
  const hostile = { ...email, text: HOSTILE, html: '', name: HOSTILE, key: HOSTILE, created_at: HOSTILE };
  const domain = {
    ...hostile,
    domain: HOSTILE,
    dns_records: [{ purpose: HOSTILE, type: HOSTILE, name: HOSTILE, value: HOSTILE }],
  };
  const pagination = { total: 1, limit: 20, offset: 0, has_more: false };
  const id = `msg_${'0'.repeat(26)}`;

  it.each<[string[], unknown]>([
    [['emails', 'list'], { emails: [email], pagination }],
    [['emails', 'get', id], hostile],
    [['emails', 'send', '--to', 'a@x.test', '--from', 'b@x.test', '--subject', 's', '--text', 't'], hostile],
    [['emails', 'cancel', id], hostile],
    [['templates', 'list'], { templates: [hostile], pagination }],
    [['templates', 'render', `tpl_${'0'.repeat(26)}`], hostile],
    [['domains', 'get', 'a.test'], domain],
    [['domains', 'add', 'a.test'], domain],
    [['domains', 'list'], { domains: [domain] }],
    [['api-keys', 'create', '--name', 'x'], hostile],
    [['api-keys', 'list'], { api_keys: [hostile] }],
    [['webhooks', 'list'], { webhooks: [{ ...hostile, url: HOSTILE, events: [HOSTILE], active: true }] }],
    [['analytics'], { total: hostile, by_date: [{ date: HOSTILE, sent: HOSTILE, delivered: 1 }] }],
  ])('adds no colour or control of its own to svc %j', async (args, answer) => {
    server = await startScripted([answers(answer)]);
    const folder = temporaryDirectory();
    const env = {
      SVC_BASE_URL: server.baseUrl,
      SVC_API_KEY: 'svc_test_x',
      SVC_DATA_DIR: folder.path,
      FORCE_COLOR: '1',
    };

    const { stdout, stderr } = await svc(args, { env, cwd: folder.path });
    folder.remove();

    for (const text of [stdout.replace(STATUS, ''), stderr]) {
      expect(text).not.toMatch(OBEYED);
      expect(text).not.toMatch(HIDDEN);
    }
    expect(stdout + stderr).not.toBe('');
  });

  it('adds none to an error, its advice and its headers', async () => {
    const step = (response: import('node:http').ServerResponse) => {
      const error = {
        code: HOSTILE,
        message: HOSTILE,
        status: 422,
        details: [{ path: HOSTILE, message: HOSTILE }],
        hint: HOSTILE,
      };
      response.writeHead(422, { 'content-type': 'application/json', 'x-service-warning': '\u0080\u009b31m' });
      response.end(JSON.stringify({ success: false, error, meta: { request_id: HOSTILE } }));
    };
    server = await startScripted([step]);
    const env = { SVC_BASE_URL: server.baseUrl, SVC_API_KEY: 'svc_test_x', FORCE_COLOR: '1' };

    for (const json of [[], ['--json']]) {
      const { code, stderr } = await svc(['emails', 'list', ...json], { env });

      expect(code).not.toBe(0);
      expect(stderr).toContain('end');
      expect(stderr).not.toMatch(OBEYED);
      expect(stderr).not.toMatch(HIDDEN);
    }
  });

  it('is not shown with the value of a flag that does not exist, which may be a secret', async () => {
    for (const value of ['svc\u2028secret', 'svc\nsecret', 'secret']) {
      const { code, stderr } = await svc(['emails', 'list', `--apikey=${value}`]);
      expect(code).toBe(2);
      expect(stderr).not.toContain('secret');
    }
  });
});

describe('the name of a data directory', () => {
  const folder = temporaryDirectory();
  const dataDir = join(folder.path, `d${CONTROLS.replaceAll('/', '')}\u202e\u200bend`);
  afterAll(() => folder.remove());

  it('is shown by svc dev without control characters, and unchanged in JSON', async () => {
    const child = start(['dev', '--data-dir', dataDir, '--http-port', '0', '--smtp-port', '0']);
    let said = '';
    child.stdout?.on('data', (chunk) => {
      said += chunk;
      if (said.includes('Press Ctrl-C')) child.kill('SIGTERM');
    });
    await new Promise((resolve) => child.once('exit', resolve));
    expect(said).toMatch(/Data +\/.*end/);
    expect(said).not.toMatch(OBEYED);
    expect(said).not.toMatch(HIDDEN);

    const dev = await startDev(['--data-dir', dataDir]);
    expect(dev.ready.data_dir).toBe(dataDir);
    await dev.stop();
  });

  it('does not reach a terminal from the last lines of the dashboard', async () => {
    // On a terminal of its own, whose title the name would change.
    const line = [process.execPath, BINARY, 'dev', '--http-port', '0', '--smtp-port', '0', '--data-dir', dataDir];
    const terminal: Terminal = await openTerminal(line, { columns: 200 });
    try {
      await terminal.until(/No emails yet/);
      terminal.press('q');
      const screen = await terminal.until(/ended with 0/);
      expect(screen).toMatch(/d\[31mred.*end contains 0/);
    } finally {
      await terminal.close();
    }
  });
});
