import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BINARY, svc, temporaryDirectory } from '../../support/cli/binary.js';
import { openTerminal, type Terminal } from '../../support/cli/terminal/terminal.js';
import { skippedWithout } from '../../support/cli/tools.js';

const skipped = skippedWithout('bash');

describe.skipIf(skipped)(`^Z in a view${skipped}`, () => {
  let folder: ReturnType<typeof temporaryDirectory>;
  let shell: Terminal;

  beforeEach(async () => {
    folder = temporaryDirectory();
    shell = await openTerminal(['bash', '--norc', '--noprofile', '-i'], { env: { PS1: 'prompt> ' }, columns: 120 });
    await shell.until(/^prompt>/m);
  });
  afterEach(async () => {
    await shell.close();
    folder.remove();
  });

  const type = (line: string) => shell.press(line, 'Enter');
  const svcLine = (command: string) => `'${process.execPath}' '${BINARY}' ${command} --data-dir '${folder.path}'`;
  const send = async (to: string) =>
    expect(await svc(['emails', 'send', '--to', to, '--data-dir', folder.path])).toMatchObject({ code: 0 });

  /** Checks that the shell has its terminal back, and shows what is typed. */
  async function tryShell(word: string): Promise<string> {
    await type(`echo $((6*7))-${word}`);
    return shell.until(new RegExp(`^42-${word}$`, 'm'));
  }

  async function openDashboard(): Promise<void> {
    await type(svcLine('dev --http-port 0 --smtp-port 0'));
    await shell.until(/q quit/);
  }

  it('suspends svc dev and gives the shell its terminal back; fg redraws the dashboard, which accepts keys', async () => {
    await openDashboard();

    shell.press('C-z');

    await shell.until(/Stopped/);
    const meanwhile = await tryShell('stopped');
    expect(meanwhile).toMatch(/echo \$\(\(6\*7\)\)-stopped/);
    expect(meanwhile).not.toContain('q quit');
    await type('fg');
    const drawn = await shell.until(/q quit/);
    expect(drawn).toMatch(/^svc dev/);
    expect(drawn).not.toContain('prompt>');
    shell.press('?');
    await shell.until(/Keys:/);
    shell.press('q');
    await shell.until(/q quit/);
    shell.press('q');
    const after = await shell.until(/svc has stopped[\s\S]*^prompt>$/m);
    expect(after).toContain('42-stopped');
    await tryShell('ended');
  });

  it('keeps the server running in the background, whatever is typed, and redraws the view in the foreground', async () => {
    await openDashboard();
    shell.press('C-z');
    await shell.until(/Stopped/);

    await type('bg');
    await send('ada@example.test');

    for (const word of ['one', 'two', 'three']) await tryShell(word);
    await send('bob@example.test');
    expect(await tryShell('four')).not.toContain('ada@example.test');
    await type('fg');
    await shell.until((screen) => /ada@\S+ +delivered/.test(screen) && /bob@\S+ +delivered/.test(screen));
    shell.press('2');
    await shell.until(/\[Events \d+\]/);
  });

  it('can be stopped while it is suspended', async () => {
    await openDashboard();
    const { base_url } = JSON.parse(readFileSync(join(folder.path, 'server.json'), 'utf8'));
    shell.press('C-z');
    await shell.until(/Stopped/);

    const { code, stderr } = await svc(['dev', 'stop', '--data-dir', folder.path]);

    expect(stderr).toContain(`Stopped ${base_url}`);
    expect(code).toBe(0);
    await shell.until(/svc has stopped/);
    await tryShell('ended');
  });

  it('suspends webhooks listen too, and fg redraws it', async () => {
    await type(svcLine('webhooks listen --forward-to 127.0.0.1:9'));
    await shell.until(/f filter/);

    shell.press('C-z');

    await shell.until(/Stopped/);
    expect(await tryShell('stopped')).not.toContain('f filter');
    await type('fg');
    expect(await shell.until(/f filter/)).toMatch(/^forwarding to/);
    shell.press('q');
    await shell.until(/prompt> fg\n[\s\S]*^prompt>$/m);
    await tryShell('ended');
  });

  it('does nothing without a shell that could continue it', async () => {
    const terminal = await openTerminal(
      [process.execPath, BINARY, 'dev', '--http-port', '0', '--smtp-port', '0', '--data-dir', folder.path],
      { columns: 120 },
    );
    try {
      await terminal.until(/q quit/);
      terminal.press('C-z', '?');
      await terminal.until(/Keys:/);
    } finally {
      await terminal.close();
    }
  });
});
