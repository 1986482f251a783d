import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { svc } from '../../support/cli/binary.js';
import { type Dashboard, openDashboard } from '../../support/cli/dashboard.js';
import { skippedWithout } from '../../support/cli/tools.js';
import { folderOfEachTest } from '../../support/each-test.js';

const skipped = skippedWithout('tmux');

describe.skipIf(skipped)(`keys in the dashboard of svc dev${skipped}`, () => {
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
    await dashboard.press('?');
    await dashboard.until(/Keys:/);
    await dashboard.signal('SIGSTOP');
    await dashboard.press('Escape', '2');

    await dashboard.signal('SIGCONT');

    await dashboard.until(/\[Events\]/);
  });

  it('accepts the first line of pasted text in the filter, and ignores a paste elsewhere', async () => {
    await send();
    await dashboard.press('f');
    await dashboard.until(/filter: ▏/);

    await dashboard.paste('ada@example.test\nquote');
    await dashboard.until(/filter: ada@example\.test▏/);
    await dashboard.press('Enter');
    await dashboard.until(/filter: ada@example\.test \(esc shows all\)/);
    await dashboard.paste('?q2\nq');
    await dashboard.press('3');

    const screen = await dashboard.until(/\[Deliveries 0 of 0\]/);
    expect(screen).toMatch(/Emails 1 of 1/);
    expect(screen).not.toContain('Keys:');
  });

  it('empties the filter with ^U', async () => {
    await dashboard.press('f');
    await dashboard.until(/filter: ▏/);
    await dashboard.press('ada');
    await dashboard.until(/filter: ada▏/);

    await dashboard.press('C-u');

    await dashboard.until(/filter: ▏/);
  });

  it('closes what is open with q, and exits with q from the panes only', async () => {
    await send();
    await dashboard.press('Enter');
    expect(await dashboard.until(/Headers:/)).toMatch(/q back/);
    await dashboard.press('q');
    await dashboard.until(/\[Emails 1\]/);
    await dashboard.press('?');
    await dashboard.until(/Keys:/);
    await dashboard.press('q');
    await dashboard.until(/\[Emails 1\]/);

    await dashboard.press('q');

    await dashboard.until(/ended with 0/);
  });
});
