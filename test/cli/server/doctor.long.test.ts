import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { svc } from '../../support/cli/binary.js';
import { folderOfEachTest } from '../../support/each-test.js';
import { holdPort } from '../../support/servers/ports.js';

/** Tests the diagnosis of what keeps svc from working. */

interface Finding {
  check: string;
  ok: boolean;
  found: string;
  fix: string | null;
}

describe('svc doctor', () => {
  const folder = folderOfEachTest();

  async function examine(...args: string[]): Promise<{ code: number | null; ok: boolean; of(check: string): Finding }> {
    const { code, stdout } = await svc(['doctor', '--json', ...args], { env: { SVC_DATA_DIR: folder.path } });
    const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: Finding[] };
    // A problem comes with its fix, and only a problem does; the exit code agrees.
    for (const finding of findings) expect(finding.fix === null, finding.check).toBe(finding.ok);
    expect({ code, ok }).toEqual({ code: findings.every((each) => each.ok) ? 0 : 1, ok: code === 0 });
    return { code, ok, of: (check) => findings.find((each) => each.check === check)! };
  }

  it('reports a running server, its key and its time as fine', async () => {
    const dev = await folder.startServer();

    const { of } = await examine();

    expect(of('server')).toMatchObject({ ok: true, found: expect.stringContaining(dev.ready.base_url) });
    for (const check of ['node', 'data directory', 'target', 'clock']) expect(of(check).ok, check).toBe(true);
  });

  it('reports a server.json that a server left behind', async () => {
    const dev = await folder.startServer();
    const exited = once(dev.child, 'exit');
    dev.child.kill('SIGKILL');
    await exited;

    const { code, of } = await examine();

    expect(code).toBe(1);
    expect(of('server')).toMatchObject({ ok: false, fix: expect.stringContaining('svc dev') });
  });

  it('quotes a server.json that a server left behind as one word of a shell', async () => {
    const dataDir = join(folder.path, "it's; touch injected");
    const dev = await folder.startServer(['--data-dir', dataDir]);
    await dev.stop('SIGKILL');

    const { stdout } = await svc(['doctor', '--json', '--data-dir', dataDir]);
    const { findings } = JSON.parse(stdout) as { findings: Finding[] };
    const { fix } = findings.find(({ check }) => check === 'server')!;
    const [, remove = ''] = /remove the file: (rm .+)$/.exec(fix ?? '') ?? [];
    await promisify(execFile)('sh', ['-e', '-c', remove], { cwd: folder.path });

    expect(existsSync(join(dataDir, 'server.json'))).toBe(false);
    expect(existsSync(join(folder.path, 'injected'))).toBe(false);
    expect(fix).toContain('svc dev --data-dir ');
  });

  it('reports a key that the server refuses', async () => {
    await folder.startServer();

    const { code, of } = await examine('--api-key', 'svc_test_wrong');

    expect(code).toBe(1);
    expect(of('target')).toMatchObject({ ok: false });
    expect(JSON.stringify(of('target'))).not.toContain('svc_test_wrong');
  });

  it('names a clock that was moved, which is not a problem', async () => {
    await folder.startServer();
    await svc(['dev', 'clock', 'advance', '2h', '--data-dir', folder.path]);

    const { of } = await examine();

    expect(of('clock')).toMatchObject({
      ok: true,
      found: expect.stringMatching(/^moved: (7200|7199) s ahead of this machine; reset it with/),
      fix: null,
    });
    const [, fix = ''] = /reset it with "svc ([^"]+)"/.exec(of('clock').found) ?? [];
    expect(await svc(fix.split(' '), { env: { SVC_DATA_DIR: folder.path } })).toMatchObject({ code: 0 });
    expect((await examine()).of('clock').found).toContain('matches');
  });

  it('names the data directory of a clock that was moved, where it was given', async () => {
    await svc(['dev', 'clock', 'advance', '2h', '--data-dir', folder.path]);

    const { stdout } = await svc(['doctor', '--data-dir', folder.path]);

    expect(stdout).toContain(`reset it with "svc dev clock reset --data-dir ${folder.path}"`);
  });

  it('reports which process uses a port', async () => {
    // Another server may already use it, and release it before it is found.
    let held: Server | undefined;
    let found: Finding;
    do {
      held = await holdPort(8025);
      found = (await examine()).of('HTTP port');
      held?.close();
    } while (!held && found.ok);

    expect(found).toMatchObject({ ok: false, found: expect.stringContaining('8025 is in use') });
  });

  it('does not check the default ports when the server has others', async () => {
    const other = await holdPort(8025);
    const dev = await folder.startServer();

    const { code, of } = await examine();

    other?.close();
    const port = new URL(dev.ready.base_url).port;
    expect(code).toBe(0);
    expect(of('HTTP port')).toMatchObject({ ok: true, found: expect.stringContaining(port) });
    expect(of('SMTP port')).toMatchObject({ ok: true, found: expect.stringContaining(String(dev.ready.smtp.port)) });
  });

  it('reports profiles that cannot be read', async () => {
    const file = join(folder.path, 'profiles.json');
    writeFileSync(file, '{ "current": ');

    const { code, stdout } = await svc(['doctor', '--json'], {
      env: { SVC_DATA_DIR: folder.path, SVC_CONFIG_DIR: folder.path },
    });

    const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: Finding[] };
    expect({ code, ok }).toEqual({ code: 1, ok: false });
    expect(findings.find(({ check }) => check === 'target')).toMatchObject({
      ok: false,
      found: expect.stringContaining(`${file} cannot be read`),
      fix: expect.stringContaining('Fix the file'),
    });
    expect(findings.find(({ check }) => check === 'data directory')?.ok).toBe(true);
  });

  it('reports a database that is not svc’s', async () => {
    const file = join(folder.path, 'mail.db');
    writeFileSync(file, 'no database, but long enough to be taken for one'.repeat(10));

    const { code, of } = await examine();

    expect(code).toBe(1);
    expect(of('target')).toMatchObject({ ok: false, found: expect.stringContaining('not an SQLite database') });
    expect(readFileSync(file, 'utf8')).toContain('no database');
  });
});
