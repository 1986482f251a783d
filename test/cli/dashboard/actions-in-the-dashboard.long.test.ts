import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { profileInUse } from '../../../src/cli/command/local-command.js';
import { DashboardActions } from '../../../src/cli/dashboard/actions.js';
import type { Press } from '../../../src/cli/dashboard/key-binding.js';
import { bindings, modeOf } from '../../../src/cli/dashboard/key-map.js';
import { describeEmailDetail } from '../../../src/cli/dashboard/panes/email-detail.js';
import { type Change, type DashboardState, initialState, reduce } from '../../../src/cli/dashboard/state.js';
import { describeCaptured } from '../../../src/cli/dashboard/summary.js';
import { ViewStore } from '../../../src/cli/terminal/ink/use-redraw.js';
import { Client } from '../../../src/client/client.js';
import { folderOfEachTest } from '../../support/each-test.js';
import { startApp, TEST_KEY, type TestApp } from '../../support/servers/app.js';
import { send } from '../../support/simulation.js';

/** Tests what keys of the dashboard do, without a terminal. */

describe('an action of the dashboard', () => {
  const folder = folderOfEachTest();
  const directory = process.cwd();
  let app: TestApp;
  let store: ViewStore<DashboardState, Change>;
  let actions: DashboardActions;
  let client: Client;

  beforeEach(async () => {
    app = await startApp();
    store = new ViewStore<DashboardState, Change>(initialState, reduce);
    client = new Client({
      baseUrl: 'http://any.host.test/v1',
      apiKey: TEST_KEY,
      userAgent: 'test',
      fetch: app.fetch,
    });
    actions = new DashboardActions(client, store, () => {}, command);
    process.chdir(folder.path);
  });
  afterEach(async () => {
    process.chdir(directory);
    delete process.env.BROWSER;
    await app.closeClean();
  });

  const command = (line: string) => `svc ${line} --data-dir /here`;
  const notice = () => store.current().notice;
  /** Returns whether the server stops without a question. */
  async function quits(inMemory: boolean): Promise<boolean> {
    let stopped = false;
    await actions.quit(() => {
      stopped = true;
    }, inMemory);
    return stopped;
  }

  it('suggests commands for its own server', async () => {
    const id = await send(app, 'ada@example.test');
    await client.control('emails.simulate', { params: { id }, body: { outcome: 'bounced', all: true } });

    const known = await describeEmailDetail(client, id, command);
    const unknown = await describeEmailDetail(client, id, () => undefined);

    expect(known).toContain('To send to it again, run: svc suppressions remove ada@example.test --data-dir /here\n');
    expect(unknown).toContain('ada@example.test has been suppressed since');
    expect(unknown).not.toContain('svc suppressions');
  });

  it('shows which profile is in use, whatever is in the file of profiles', () => {
    const env = { SVC_CONFIG_DIR: folder.path };
    expect(profileInUse(env)).toBe('local');
    writeFileSync(join(folder.path, 'profiles.json'), '{bad');
    expect(profileInUse(env)).toBe('?');
    expect(profileInUse({ ...env, SVC_BASE_URL: 'http://127.0.0.1:1/v1' })).toBeUndefined();
  });

  it('opens an email in the browser, or reports the file if no browser was found', async () => {
    const email = { id: await send(app, 'ada@example.test'), about: 'ada' };

    await actions.openInBrowser(email);
    const [, file = ''] = /^no browser found; open this file: (\S+index\.html)$/.exec(notice() ?? '') ?? [];
    expect(existsSync(file)).toBe(true);
    process.env.BROWSER = 'true';
    await actions.openInBrowser(email);
    const [, opened = ''] = /^opened (\S+index\.html)$/.exec(notice() ?? '') ?? [];
    expect(existsSync(opened)).toBe(true);

    for (const page of [file, opened]) rmSync(dirname(page), { recursive: true });
  });

  it('saves an email with its attachments in the current directory', async () => {
    const attachments = [{ filename: 'note.txt', contentType: 'text/plain', content: 'aGk=' }];
    const id = await send(app, 'ada@example.test', { attachments });

    await actions.save({ id, about: 'ada' });

    expect(notice()).toBe(`saved 4 files in ${join(process.cwd(), id)}`);
    expect(readdirSync(id)).toHaveLength(4);
  });

  it('reports why an email cannot be saved or opened', async () => {
    await actions.save({ id: 'msg_none', about: '' });
    expect(notice()).toMatch(/^not saved: .*msg_none.* not found/);
    await actions.openInBrowser({ id: 'msg_none', about: '' });
    expect(notice()).toMatch(/^not opened: .*msg_none.* not found/);
  });

  it('stops the server at once if it holds no email, or email on disk', async () => {
    expect(await quits(true)).toBe(true);
    await send(app, 'ada@example.test');
    expect(await quits(false)).toBe(true);
    expect(store.current().prompt).toBeUndefined();
  });

  it('asks before it stops a server with email in memory', async () => {
    for (const to of ['ada@example.test', 'bob@example.test']) await send(app, to);
    expect(await quits(true)).toBe(false);
    expect(store.current().prompt).toMatchObject({
      kind: 'confirm',
      question: 'Stop the server and discard 2 emails that are in memory only?',
    });
  });
});

describe('a key of the dashboard', () => {
  /** Returns which action a key performs on which email, and the notice without one. */
  function pressed(input: string, state: DashboardState) {
    const called: unknown[] = [];
    const acts = (name: string) => (email: unknown) => called.push([name, email]);
    const actions = { openInBrowser: acts('open'), save: acts('save'), delete: acts('delete') };
    const store = new ViewStore<DashboardState, Change>(state, reduce);
    const press = { input, key: {}, state, store, actions } as unknown as Press;
    const mode = modeOf(state, true);
    bindings.find(({ modes, matches }) => modes.includes(mode) && matches(press))?.act(press);
    return { called, notice: store.current().notice };
  }

  const email = { id: 'msg_1', about: 'ada' };
  const row = { id: 'msg_1', cells: [], words: '', open: async () => '', email };
  const pane = { ...initialState.panes.mails, rows: [row], total: 1 };
  const withEmail = { ...initialState, panes: { ...initialState.panes, mails: pane } };

  it.each([
    ['o', 'open'],
    ['w', 'save'],
    ['d', 'delete'],
  ])('%s acts on the selected email: %s', (key, action) => {
    expect(pressed(key, withEmail)).toEqual({ called: [[action, email]], notice: undefined });
    const opened = { ...withEmail, opened: { kind: 'row' as const, row, scroll: 0 } };
    expect(pressed(key, opened).called).toEqual([[action, email]]);
  });

  it('for an email names the pane where one can be selected', () => {
    expect(pressed('o', initialState)).toEqual({ called: [], notice: 'No email is selected.' });
    const elsewhere = { ...withEmail, focus: 'requests' as const };
    expect(pressed('w', elsewhere)).toEqual({
      called: [],
      notice: 'No email is selected. Press 1 for the emails pane.',
    });
  });
});

describe('the last lines of the dashboard', () => {
  it.each([
    [1, 'Captured 1 email in memory; it was discarded.'],
    [2, 'Captured 2 emails in memory; they were discarded.'],
  ])('report that %i in memory was discarded', (mails, text) => {
    expect(describeCaptured({ mails, total: mails }, null)).toBe(`svc has stopped. ${text}\n`);
  });
});
