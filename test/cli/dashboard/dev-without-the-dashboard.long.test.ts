import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BINARY, svc, temporaryDirectory } from '../../support/cli/binary.js';
import { filesLoadedBy, terminalLibraryAmong } from '../../support/cli/bundle.js';
import { openDashboard } from '../../support/cli/terminal/dashboard.js';
import { openTerminal, type Terminal } from '../../support/cli/terminal/terminal.js';

describe('svc dev on a terminal, in lines', () => {
  let folder: ReturnType<typeof temporaryDirectory>;
  let terminal: Terminal | undefined;

  beforeEach(() => {
    folder = temporaryDirectory();
  });
  afterEach(async () => {
    await terminal?.close();
    folder.remove();
  });

  it.each([
    ['--no-dashboard', ['--no-dashboard'], {}],
    ['--no-input', ['--no-input'], {}],
    ['--no-control', ['--no-control'], {}],
    ['CI', [], { CI: 'true' }],
    ['TERM=dumb', [], { TERM: 'dumb' }],
  ])('prints lines with %s', async (_, args, env) => {
    terminal = await openDashboard(folder.path, { args, env: env as Record<string, string> });
    await terminal.until(/Press Ctrl-C to stop/);

    await svc(['emails', 'send', '--to', 'ada@example.test', '--data-dir', folder.path]);

    const screen = await terminal.until(/[\d:]{8} {2}email\.delivered +ada@example\.test/);
    expect(screen).toMatch(/^before\nsvc is running\./);
    expect(screen).not.toContain('q quit');
    terminal.press('C-c');
    await terminal.until(/ended with 0/);
  });

  it('prints JSON with --json', async () => {
    terminal = await openDashboard(folder.path, { args: ['--json'] });

    expect(await terminal.until(/"pid":/)).toMatch(/^before\n\{"event":"ready"/);
  });

  it('prints lines as a background job, which may not use the terminal', async () => {
    const dev = [process.execPath, BINARY, 'dev', '--http-port', '0', '--smtp-port', '0', '--in-memory'].join(' ');
    const env = { SVC_DATA_DIR: folder.path };
    terminal = await openTerminal(['sh', '-c', `set -m; ${dev} & wait`], { env });

    const screen = await terminal.until(/Press Ctrl-C to stop/);

    expect(screen).not.toContain('q quit');
    // It is a job of its own, which outlives the terminal.
    expect(await svc(['dev', 'stop', '--data-dir', folder.path])).toMatchObject({ code: 0 });
  });
});

describe('svc dev without a terminal', () => {
  it('loads no terminal library', () => {
    const loaded = filesLoadedBy('dev/index');

    expect(loaded.length).toBeGreaterThan(2);
    expect(terminalLibraryAmong(loaded)).toEqual([]);
  });
});
