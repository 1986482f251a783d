import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DashboardActions } from '../../../src/cli/dashboard/actions.js';
import type { Row } from '../../../src/cli/dashboard/panes/pane.js';
import { initialState, reduce } from '../../../src/cli/dashboard/state.js';
import { ViewStore } from '../../../src/cli/terminal/ink/use-redraw.js';
import { Client } from '../../../src/client/client.js';
import { startApp, TEST_KEY, type TestApp } from '../../support/servers/app.js';

/** Tests keys of the dashboard that are pressed while an earlier action still waits for the server. */

describe('a key during an action', () => {
  let app: TestApp;
  let store: ViewStore<typeof initialState, Parameters<typeof reduce>[1]>;
  let actions: DashboardActions;
  let row: Row;
  let respond: () => void;
  let refreshed: Promise<void>;

  beforeEach(async () => {
    app = await startApp();
    const body = { to: ['ada@example.test', 'bob@example.test'], from: 'a@example.test', subject: 'Hi', html: 'x' };
    const { json } = await app.call('POST', '/v1/emails', body);
    const waiting = new Promise<void>((resolve) => {
      respond = resolve;
    });
    const client = new Client({
      baseUrl: 'http://any.test/v1',
      apiKey: TEST_KEY,
      userAgent: 'test',
      fetch: async (...request) => {
        await waiting;
        return app.fetch(...request);
      },
    });
    store = new ViewStore(initialState, reduce);
    refreshed = new Promise((resolve) => {
      actions = new DashboardActions(client, store, resolve, () => undefined);
    });
    row = {
      id: json.data.id,
      cells: [],
      words: '',
      open: async () => '',
      copies: async () => waiting.then(() => [{ name: 'link', value: 'https://example.test/' }]),
      email: { id: json.data.id, about: 'ada' },
    };
  });
  afterEach(() => app.closeClean());

  it('keeps the filter open that it opened, instead of the choice of what to copy', async () => {
    const copied = actions.copy(row);
    store.change({ kind: 'ask', prompt: { kind: 'filter', before: '' } });
    respond();
    await copied;

    expect(store.current()).toMatchObject({ prompt: { kind: 'filter' }, notice: 'cancelled by another key' });
  });

  it('does not cancel the question to quit if a filter was open before', async () => {
    store.change({ kind: 'ask', prompt: { kind: 'filter', before: '' } });
    const quitting = actions.quit(() => {}, true);
    respond();
    await quitting;

    expect(store.current().prompt).toMatchObject({
      kind: 'confirm',
      question: expect.stringContaining('1 email that'),
    });
  });

  it('that selects another row cancels the choice of what to copy; new rows do not', async () => {
    const copied = actions.copy(row);
    const panes = { mails: { rows: [row], total: 1, more: false } };
    store.change({ kind: 'pages', pages: panes });
    respond();
    await copied;
    expect(store.current().prompt).toMatchObject({ kind: 'choice', title: 'Copy:' });

    store.change({ kind: 'answered' });
    const again = actions.copy(row);
    store.change({ kind: 'focus', name: 'events' });
    await again;
    expect(store.current().prompt).toBeUndefined();
  });

  it('keeps open what it opened while an email is deleted', async () => {
    store.change({ kind: 'open', opened: { kind: 'row', row, scroll: 0 } });
    actions.delete({ id: row.id, about: 'ada' });
    const { prompt } = store.current();
    store.change({ kind: 'answered' });
    if (prompt?.kind === 'confirm') prompt.act();
    store.change({ kind: 'open', opened: { kind: 'help', scroll: 0 } });
    respond();
    await refreshed;

    expect(store.current().opened).toMatchObject({ kind: 'help' });
  });
});
