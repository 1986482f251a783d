import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BINARY, type DevServer, startDev, svc, temporaryDirectory, text } from '../../support/cli/binary.js';

/** Tests a full disk under `svc … > file`. */

// A device on which every write fails with ENOSPC; macOS and Windows have none.
describe.skipIf(!existsSync('/dev/full'))('svc with a stdout that cannot be written', () => {
  let folder: ReturnType<typeof temporaryDirectory>;
  let dev: DevServer;

  beforeAll(async () => {
    folder = temporaryDirectory();
    dev = await startDev(['--data-dir', folder.path]);
    await svc(['emails', 'send', '--to', 'ada@example.test', '--data-dir', folder.path]);
  });
  afterAll(async () => {
    await dev.stop();
    folder.remove();
  });

  const MESSAGE = 'Cannot write to stdout: ENOSPC: no space left on device, write';

  async function runInto(stdout: string, args: string[], dataDir = folder.path) {
    const child = spawn(process.execPath, [BINARY, ...args], {
      env: { PATH: process.env.PATH, XDG_CACHE_HOME: process.env.XDG_CACHE_HOME, SVC_DATA_DIR: dataDir },
      stdio: ['ignore', openSync(stdout, 'w'), 'pipe'],
    });
    const stderr = text(child.stderr);
    const [code] = await once(child, 'exit');
    return { code, stderr: await stderr };
  }

  it.each([
    [['--version']],
    [['--help']],
    [['emails', 'list']],
    [['emails', 'list', '--all']],
    [['openapi']],
    [['completion', 'bash']],
    [['dev', 'status']],
    [['logs', 'list']],
    [['dev', 'export', '-']],
  ])('svc %j reports that in one line, and exits with 1', async (args) => {
    expect(await runInto('/dev/full', args)).toEqual({ code: 1, stderr: `Error: ${MESSAGE}\n` });
  });

  it('as JSON with --json', async () => {
    const { code, stderr } = await runInto('/dev/full', ['emails', 'list', '--json']);

    expect(code).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'command_failed', message: MESSAGE } });
  });

  it.each([[['--data-dir', 'own']], [['--in-memory']], [['--in-memory', '--json']]])(
    'svc dev %j stops, and leaves no server.json',
    async (args) => {
      const own = join(folder.path, 'own');
      const place = args.map((arg) => (arg === 'own' ? own : arg));

      const { code, stderr } = await runInto(
        '/dev/full',
        ['dev', '--http-port', '0', '--smtp-port', '0', ...place],
        own,
      );

      expect(code).toBe(1);
      expect(stderr).toContain(MESSAGE);
      expect(stderr.trimEnd()).not.toContain('\n');
      expect(existsSync(join(own, 'server.json'))).toBe(false);
    },
  );

  it('webhooks listen, which runs until a signal, exits', async () => {
    const { code, stderr } = await runInto('/dev/full', ['webhooks', 'listen', '--forward-to', 'http://127.0.0.1:9/']);

    expect(code).toBe(1);
    expect(stderr).toContain(MESSAGE);
  });
});
