import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { svc } from '../../support/cli/binary.js';
import { type Dashboard, openDashboard } from '../../support/cli/terminal/dashboard.js';
import { folderOfEachTest } from '../../support/each-test.js';

describe('svc dev with a clock that was moved', () => {
  const folder = folderOfEachTest();
  let dashboard: Dashboard | undefined;

  beforeEach(async () => {
    const { code } = await svc(['dev', 'clock', 'advance', '1h', '--data-dir', folder.path]);
    expect(code).toBe(0);
  });
  afterEach(async () => {
    await dashboard?.close();
  });

  it('reports that when it starts, and how to reset it', async () => {
    dashboard = await openDashboard(folder.path, { args: ['--no-dashboard'], columns: 200 });

    const screen = await dashboard.until(/Press Ctrl-C to stop/);

    expect(screen).toContain('Clock           1h ahead of the system time');
    expect(screen).toContain(`to reset it, run: svc dev clock reset --data-dir ${folder.path}`);
  });

  it('reports that in the dashboard and in its help until it is reset', async () => {
    dashboard = await openDashboard(folder.path, { rows: 60 });
    await dashboard.until(/^svc dev {2}clock 1h ahead {2}/m);
    dashboard.press('?');
    await dashboard.until(/Clock +1h ahead of the system time/);
    dashboard.press('q');

    expect(await svc(['dev', 'clock', 'reset', '--data-dir', folder.path])).toMatchObject({ code: 0 });
    await dashboard.until(/^svc dev {2}0 emails/m);

    dashboard.press('?');
    expect(await dashboard.until(/Press Ctrl-C to stop/)).not.toContain('Clock ');
  });
});
