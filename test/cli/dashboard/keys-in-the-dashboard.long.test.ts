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
    await dashboard.until(/ada@\S+ +delivered/);
  }

  it('distinguishes Escape and the next key, however close they arrive', async () => {
    dashboard.press('?');
    await dashboard.until(/Keys:/);
    await dashboard.signal('SIGSTOP');
    dashboard.press('Escape', '2');

    await dashboard.signal('SIGCONT');

    await dashboard.until(/\[Events 0\]/);
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
    await dashboard.until(/q back/);
    dashboard.press('q');
    await dashboard.until(/q quit/);
    dashboard.press('?');
    await dashboard.until(/Keys:/);
    dashboard.press('q');
    await dashboard.until(/\[Emails 1\][\s\S]*q quit/);

    dashboard.press('q');

    await dashboard.until(/ended with 0/);
  });

  it('sorts, copies to the terminal’s clipboard, and deletes after a question', async () => {
    await svc([
      ...['emails', 'send', '--to', 'zoe@example.test', '--subject', 'A sign-in code', '--from', 'shop@example.test'],
      ...['--html', '<p>Your code is 482913. <a href="https://example.test/in">Sign in</a></p>'],
      ...['--data-dir', folder.path],
    ]);
    await send();
    await dashboard.until(/> Hello/);

    dashboard.press('t');
    await dashboard.until(/SUBJECT ▾.*\n│> A sign-in code/);
    await dashboard.until(/Text of the HTML: *│\n.* Your code is 482913\. Sign in/);
    dashboard.press('c');
    await dashboard.until(/> ID +msg_\w+ .*\n.* code {2}482913 .*\n.* link {2}https:\/\/example\.test\/in /);
    dashboard.press('Down', 'Enter');
    await dashboard.until(/copied the code 482913/);
    expect(dashboard.clipboard()).toBe('482913');

    dashboard.press('d');
    await dashboard.until(/Delete the email to zoe@example\.test, “A sign-in code”\? \(y\/N\)/);
    dashboard.press('n');
    await dashboard.until(/copied the code|\? help/);
    dashboard.press('d', 'y');
    await dashboard.until((screen) => /\[Emails 1\][\s\S]*deleted msg_/.test(screen) && !/A sign-in code/.test(screen));
  });

  it('simulates an outcome for one of several recipients', async () => {
    await svc(['emails', 'send', '--to', 'ada@example.test', '--cc', 'bob@example.test', '--data-dir', folder.path]);
    await dashboard.until(/ada@\S+ +delivered/);

    dashboard.press('s');
    await dashboard.until(/> delivered/);
    dashboard.press('Down', 'Enter');
    await dashboard.until(/Simulate bounced for:[\s\S]*> ada@example\.test[\s\S]*both recipients/);
    dashboard.press('Down', 'Enter');

    await dashboard.until(/simulated bounced: bob@example\.test bounced/);
    await dashboard.until(/to +delivered +ada@|to {3}delivered {2}ada@/);
  });
});
