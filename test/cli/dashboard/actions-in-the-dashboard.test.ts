import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DashboardActions } from '../../../src/cli/dashboard/actions.js';
import type { Press } from '../../../src/cli/dashboard/key-binding.js';
import { bindings, modeOf } from '../../../src/cli/dashboard/key-map.js';
import { type Change, type DashboardState, initialState, reduce } from '../../../src/cli/dashboard/state.js';
import { describeCaptured } from '../../../src/cli/dashboard/summary.js';
import { ViewStore } from '../../../src/cli/terminal/ink/view-store.js';
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

  beforeEach(async () => {
    app = await startApp();
    store = new ViewStore<DashboardState, Change>(initialState, reduce);
    const client = new Client({
      baseUrl: 'http://any.host.test/v1',
      apiKey: TEST_KEY,
      userAgent: 'test',
      fetch: app.fetch,
    });
    actions = new DashboardActions(client, store, () => {});
    process.chdir(folder.path);
  });
  afterEach(async () => {
    process.chdir(directory);
    delete process.env.BROWSER;
    await app.closeClean();
  });

  const notice = () => store.current().notice;
  const holding = (total: number) =>
    store.change({ kind: 'pages', pages: { mails: { rows: [], total, more: false } } });
  /** Returns whether the server stops without a question. */
  function quits(inMemory: boolean): boolean {
    let stopped = false;
    actions.quit(() => {
      stopped = true;
    }, inMemory);
    return stopped;
  }

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

  it('stops the server at once if it holds no email, or email on disk', () => {
    expect(quits(true)).toBe(true);
    holding(2);
    expect(quits(false)).toBe(true);
    expect(store.current().prompt).toBeUndefined();
  });

  it('asks before it stops a server with email in memory', () => {
    holding(2);
    expect(quits(true)).toBe(false);
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
