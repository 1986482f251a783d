import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { svc, temporaryDirectory } from '../../support/cli/binary.js';
import { breakingBy, type Dashboard, openDashboard } from '../../support/cli/terminal/dashboard.js';
import { fileGone } from '../../support/files.js';
import { openSmtp } from '../../support/mail/smtp-session.js';
import { request } from '../../support/servers/server-calls.js';

describe('leaving the dashboard of svc dev', () => {
  let folder: ReturnType<typeof temporaryDirectory>;
  let dashboard: Dashboard;
  let closed: boolean;

  beforeEach(() => {
    folder = temporaryDirectory();
    closed = false;
  });
  afterEach(async () => {
    if (!closed) await dashboard.close();
    folder.remove();
  });

  async function open(options: Parameters<typeof openDashboard>[1] = {}): Promise<void> {
    dashboard = await openDashboard(folder.path, options);
    await dashboard.until(/q quit/);
  }

  const send = () => svc(['emails', 'send', '--to', 'ada@example.test', '--data-dir', folder.path]);

  it.each(['q', 'C-c'])(
    'restores the screen on %s, stops the server, and reports what was captured and where',
    async (key) => {
      await svc(['emails', 'send', '--to', 'earlier@example.test', '--data-dir', folder.path]);
      await open();
      await send();
      await send();
      await dashboard.until(/\[Emails 3\]/);

      dashboard.press(key);

      const screen = await dashboard.until(/ended with/);
      expect(screen).toMatch(/^before\n/);
      expect(screen.replaceAll('\n', '')).toContain(`svc has stopped. Captured 2 emails; ${folder.path} contains 3.`);
      expect(screen.replaceAll('\n', '')).toContain(`svc emails list --data-dir ${folder.path}`);
      expect(screen).toContain('ended with 0');
      expect(screen).not.toContain('q quit');
      expect(existsSync(join(folder.path, 'server.json'))).toBe(false);
    },
  );

  it.each(['SIGTERM', 'SIGHUP'] as const)('restores the screen on %s, and stops the server', async (signal) => {
    await open();

    await dashboard.signal(signal);

    const screen = await dashboard.until(/ended with/);
    expect(screen).toMatch(/^before\n/);
    expect(screen).toContain('ended with 0');
    expect(screen).not.toContain('q quit');
    expect(existsSync(join(folder.path, 'server.json'))).toBe(false);
  });

  it('stops the server when its terminal is closed', async () => {
    await open();
    const { base_url } = dashboard.address();
    const gone = fileGone(join(folder.path, 'server.json'));

    await dashboard.close();
    closed = true;

    await gone;
    await expect(fetch(`${base_url}/v1/emails`)).rejects.toThrow('fetch failed');
  });

  it('discards emails in memory only after a question', async () => {
    dashboard = await openDashboard(null);
    const [, url] = /API (http\S+)/.exec(await dashboard.until(/q quit/)) ?? [];
    dashboard.press('?');
    const [, key] = /API key +(\S+)/.exec(await shownToTheEnd()) ?? [];
    dashboard.press('q');
    const sent = await fetch(`${url}/emails`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ to: 'ada@example.test', from: 'shop@example.test', subject: 'Hi', html: '<p>Hi</p>' }),
    });
    expect(sent.status).toBe(201);

    // Before the pane has read the email.
    dashboard.press('q');
    await dashboard.until(/Stop the server and discard 1 email that is in memory only\? \(y\/N\)/);
    dashboard.press('q');
    await dashboard.until(/q quit/);
    dashboard.resize(35, 12);
    await dashboard.until(/35x12 is too small/);
    dashboard.press('q');
    await dashboard.until(/Stop the server and discard[\s\S]*\(y\/N\)/);
    dashboard.press('y');

    const screen = await dashboard.until(/ended with 0/);
    expect(screen.replaceAll('\n', '')).toContain('Captured 1 email in memory; it was discarded.');
  });

  async function shownToTheEnd(): Promise<string> {
    await dashboard.until(/Keys:/);
    dashboard.press('End');
    return dashboard.until(/API key/);
  }

  it('exits at once on a second ^C', async () => {
    await open();
    // A message in progress delays the stop for a moment.
    const session = await openSmtp(dashboard.address().smtp);
    await session.reply();
    for (const line of [
      'EHLO client.example.test',
      'MAIL FROM:<app@example.test>',
      'RCPT TO:<ada@example.test>',
      'DATA',
    ]) {
      await session.say(line);
    }
    session.write('Subject: held open\r\n\r\n');

    dashboard.press('C-c');
    await dashboard.until(/^before/);
    dashboard.press('C-c');

    const screen = await dashboard.until(/ended with/);
    expect(screen).toContain('ended with 130');
    expect(screen).not.toContain('svc has stopped');
  });

  it('restores the screen when the server crashes, and shows why', async () => {
    await open({ env: breakingBy('throw new Error("the server broke")') });

    await dashboard.signal('SIGUSR2');

    const screen = await dashboard.until(/ended with/);
    expect(screen).toMatch(/^before\n/);
    expect(screen).toContain('Error: the server broke');
    expect(screen).toContain('ended with 1');
    expect(screen).not.toContain('q quit');
  });

  it('restores the screen when the view fails, stops the server, and shows why', async () => {
    await open({ env: breakingBy('Array.prototype.toSorted=()=>{throw new Error("the view broke")}') });
    await send();
    await dashboard.until(/\[Emails 1\]/);

    await dashboard.signal('SIGUSR2');
    dashboard.resize(90, 20);

    const screen = await dashboard.until(/ended with/);
    expect(screen).toMatch(/^before\n/);
    expect(screen).toContain('the view broke');
    expect(screen).toContain('ended with 1');
    expect(screen).not.toContain('q quit');
    expect(existsSync(join(folder.path, 'server.json'))).toBe(false);
  });

  it('shows a fault of the server when it happens, and completely afterwards', async () => {
    await open();
    const database = new Database(join(folder.path, 'mail.db'));
    database.exec('DROP TABLE templates');
    database.close();

    const { status } = await request(dashboard.address(), '/v1/templates');

    expect(status).toBe(500);
    await dashboard.until(/Internal error in req_\w+: .*no such table: templates/);
    dashboard.press('q');
    const screen = await dashboard.until(/ended with 0/);
    expect(screen).toMatch(/Internal error in req_\w+: .*no such table: templates/);
    expect(screen).toMatch(/^ {4}at /m);
  });
});
