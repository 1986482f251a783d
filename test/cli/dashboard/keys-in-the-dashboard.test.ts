import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { svc } from '../../support/cli/binary.js';
import { type Dashboard, openDashboard } from '../../support/cli/terminal/dashboard.js';
import { folderOfEachTest } from '../../support/each-test.js';

describe('keys in the dashboard of svc dev', () => {
  const folder = folderOfEachTest();
  let dashboard: Dashboard;

  beforeEach(async () => {
    dashboard = await openDashboard(folder.path);
    await dashboard.until(/No emails yet/);
  });
  afterEach(() => dashboard.close());

  async function send(): Promise<void> {
    await svc(['emails', 'send', '--to', 'ada@example.test', '--data-dir', folder.path]);
    await dashboard.until(/delivered +ada@/);
  }

  it('distinguishes Escape and the next key, however close they arrive', async () => {
    dashboard.press('?');
    await dashboard.until(/Keys:/);
    await dashboard.signal('SIGSTOP');
    dashboard.press('Escape', '2');

    await dashboard.signal('SIGCONT');

    await dashboard.until(/\[Events\]/);
  });

  it('accepts the first line of pasted text in the filter, and ignores a paste elsewhere', async () => {
    await send();
    dashboard.press('f');
    await dashboard.until(/filter: ▏/);

    dashboard.paste('ada@example.test\nquote');
    await dashboard.until(/filter: ada@example\.test▏/);
    dashboard.press('Enter');
    await dashboard.until(/filter: ada@example\.test \(esc shows all\)/);
    dashboard.paste('?q2\nq');
    dashboard.press('3');

    const screen = await dashboard.until(/\[Deliveries 0 of 0\]/);
    expect(screen).toMatch(/Emails 1 of 1/);
    expect(screen).not.toContain('Keys:');
  });

  it('empties the filter with ^U', async () => {
    dashboard.press('f');
    await dashboard.until(/filter: ▏/);
    dashboard.press('ada');
    await dashboard.until(/filter: ada▏/);

    dashboard.press('C-u');

    await dashboard.until(/filter: ▏/);
  });

  it('closes what is open with q, and exits with q from the panes only', async () => {
    await send();
    dashboard.press('Enter');
    expect(await dashboard.until(/Headers:/)).toMatch(/q back/);
    dashboard.press('q');
    await dashboard.until(/\[Emails 1\]/);
    dashboard.press('?');
    await dashboard.until(/Keys:/);
    dashboard.press('q');
    await dashboard.until(/\[Emails 1\]/);

    dashboard.press('q');

    await dashboard.until(/ended with 0/);
  });
});
