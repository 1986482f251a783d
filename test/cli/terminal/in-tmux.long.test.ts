import { afterEach, describe, expect, it } from 'vitest';
import { BINARY, svc } from '../../support/cli/binary.js';
import { openTerminal, type Terminal } from '../../support/cli/terminal/terminal.js';
import { skippedWithout } from '../../support/cli/tools.js';
import { folderOfEachTest } from '../../support/each-test.js';

const skipped = skippedWithout('tmux');

/** The same views in a terminal that many people use, and that is not the emulator of the other tests. */
describe.skipIf(skipped)(`in tmux${skipped}`, () => {
  const folder = folderOfEachTest();
  let terminal: Terminal;
  afterEach(() => terminal.close());

  async function open(command: string[], env: Record<string, string> = {}): Promise<void> {
    terminal = await openTerminal(command, { columns: 120, rows: 30, env, inTmux: true });
  }

  const dev = () => [
    process.execPath,
    BINARY,
    'dev',
    '--http-port',
    '0',
    '--smtp-port',
    '0',
    '--data-dir',
    folder.path,
  ];
  const send = () => svc(['emails', 'send', '--to', 'ada@example.test', '--data-dir', folder.path]);

  it('the dashboard is drawn, takes keys and pasted text, fits a new size and gives the screen back', async () => {
    await open(dev());
    await terminal.until(/No emails yet/);
    await send();
    expect(await terminal.until(/ada@\S+ +delivered/)).toMatch(/^svc dev {2}1 email/);
    terminal.press('f');
    await terminal.until(/filter: ▏/);
    terminal.paste('ada@example.test\nquote');
    await terminal.until(/filter: ada@example\.test▏/);
    terminal.press('Enter');
    await terminal.until(/filter: ada@example\.test \(esc shows all\)/);
    terminal.resize(60, 15);
    await terminal.until(/\[Emails 1 of 1\] Events/);

    terminal.press('q');

    const screen = await terminal.until(/ended with 0/);
    expect(screen).toMatch(/^before\n/);
    expect(screen).not.toContain('q quit');
  });

  it('^Z stops the dashboard, and fg draws it', async () => {
    await open(['bash', '--norc', '--noprofile', '-i'], { PS1: 'prompt> ' });
    await terminal.until(/^prompt>/m);
    terminal.press(
      dev()
        .map((word) => `'${word}'`)
        .join(' '),
      'Enter',
    );
    await terminal.until(/q quit/);

    terminal.press('C-z');

    expect(await terminal.until(/Stopped/)).not.toContain('q quit');
    terminal.press('fg', 'Enter');
    expect(await terminal.until(/q quit/)).not.toContain('prompt>');
    terminal.press('q');
    await terminal.until(/svc has stopped[\s\S]*^prompt>$/m);
  });

  it('webhooks listen is drawn, and gives the screen back on ^C', async () => {
    await folder.startServer();
    await open([
      process.execPath,
      BINARY,
      'webhooks',
      'listen',
      '--forward-to',
      '127.0.0.1:9',
      '--data-dir',
      folder.path,
    ]);
    await terminal.until(/connected/);
    await send();
    await terminal.until(/email\.delivered/);

    terminal.press('C-c');

    expect(await terminal.until(/ended with 130/)).not.toContain('signing secret');
  });

  it('an API key is not shown while it is typed', async () => {
    await open([process.execPath, BINARY, 'profiles', 'add', 'staging', '--base-url', 'http://127.0.0.1:1/v1'], {
      SVC_CONFIG_DIR: folder.path,
      SVC_DATA_DIR: folder.path,
    });
    await terminal.until(/API key:/);

    terminal.press('svc_test_typed', 'Enter');

    expect(await terminal.until(/ended with/)).not.toContain('svc_test_typed');
  });
});
