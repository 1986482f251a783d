import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shellQuote } from '../../../src/cli/output/text.js';
import { BINARY, type DevServer, NOWHERE, start, startDev, svc } from '../../support/cli/binary.js';
import { folderOfEachTest } from '../../support/each-test.js';
import { request } from '../../support/servers/server-calls.js';

/** The variables that npm sets for `npm start` in a clone. */
const FROM_CLONE = { npm_package_name: 'svc-cli', npm_lifecycle_event: 'start' };

/** Tests that commands find a server in memory like any other, and that commands printed by svc dev work as printed. */

describe('a server in memory', () => {
  const folder = folderOfEachTest();
  let project: string;
  const started: DevServer[] = [];

  beforeEach(() => {
    project = join(folder.path, 'project');
    mkdirSync(join(project, '.svc'), { recursive: true });
  });
  afterEach(() => {
    for (const { child } of started.splice(0)) child.kill('SIGKILL');
  });

  async function startInMemory(env: Record<string, string> = { SVC_DATA_DIR: join(project, '.svc') }) {
    const dev = await startDev(['--in-memory'], { env });
    started.push(dev);
    return dev;
  }

  const run = (...args: string[]) => svc(args, { cwd: project });
  const runJson = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(...args, '--json');
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout);
  };

  it('is found by its data directory, in which it keeps nothing', async () => {
    const dev = await startInMemory();

    await runJson('emails', 'send', '--to', 'ada@example.test');
    const emails = (await (await request(dev.ready, '/v1/emails')).json()) as { data: { emails: unknown[] } };
    const status = await runJson('dev', 'status');
    const variables = await runJson('dev', 'env');
    const doctor = await run('doctor');
    const stopped = await run('dev', 'stop');

    expect(emails.data.emails).toHaveLength(1);
    expect(status).toMatchObject({ pid: dev.ready.pid, data_dir: null, counts: { emails: 1 } });
    expect(variables).toMatchObject({ SVC_BASE_URL: dev.ready.base_url, SVC_API_KEY: dev.ready.api_key });
    expect(doctor).toMatchObject({ code: 0, stdout: expect.stringContaining(dev.ready.base_url) });
    expect(stopped.code).toBe(0);
    for (const file of ['mail.db', 'credentials.json', 'server.json']) {
      expect(existsSync(join(project, '.svc', file)), file).toBe(false);
    }
  });

  it('runs alongside another server of the data directory, which commands still find', async () => {
    const first = await startInMemory();

    const second = await startInMemory();

    expect((await request(second.ready, '/v1/emails')).status).toBe(200);
    expect((await runJson('dev', 'status')).pid).toBe(first.ready.pid);
    await second.stop();
    expect((await runJson('dev', 'status')).pid).toBe(first.ready.pid);
  });

  it('runs where no data directory can be created', async () => {
    const dev = await startInMemory({ SVC_DATA_DIR: NOWHERE });

    expect((await request(dev.ready, '/v1/emails')).status).toBe(200);
  });

  it.each([
    ['in memory', ['--in-memory']],
    ['in memory next to another server', ['--in-memory']],
    ['on a data directory other than the default', ['--data-dir', "../it's elsewhere"]],
    ['on a data directory of the other terminal', [], { SVC_DATA_DIR: '../variable' }],
    ['without the control API', ['--data-dir', '../without', '--no-control']],
    ['from a clone, without svc on the PATH', ['--data-dir', '../clone'], FROM_CLONE],
    ['from a clone, in memory without a data directory', ['--in-memory'], { ...FROM_CLONE, SVC_DATA_DIR: NOWHERE }],
  ] as [string, string[], Record<string, string>?][])(
    '%s: the suggested commands work as printed',
    async (place, args, env) => {
      if (place.includes('next to')) await startInMemory();
      const child = start(['dev', '--http-port', '0', '--smtp-port', '0', '--no-dashboard', ...args], {
        cwd: project,
        ...(env && { env }),
      });
      let stdout = '';
      for await (const chunk of child.stdout!) {
        stdout += chunk;
        if (stdout.includes('Press Ctrl-C to stop')) break;
      }
      const [, steps = ''] = /^Try next.*\n\n((?: {2}.*\n)+)/m.exec(stdout) ?? [];
      const commands = steps.split('\n').filter((line) => !line.includes('webhooks listen'));

      const program = env?.npm_lifecycle_event ? `node ${shellQuote(BINARY)}` : 'svc';
      const shell = [`svc() { '${process.execPath}' '${BINARY}' "$@"; }`, ...commands].join('\n');
      const other = await promisify(execFile)('sh', ['-e', '-c', shell], { cwd: project });

      const [, baseUrl = ''] = /API +(\S+)/.exec(stdout) ?? [];
      const [, api_key = ''] = /API key +(\S+)/.exec(stdout) ?? [];
      const held = (await (await request({ base_url: baseUrl, api_key }, '/v1/emails')).json()) as {
        data: { emails: { id: string }[] };
      };
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
      const isByAddress = place.includes('next to') || env?.SVC_DATA_DIR === NOWHERE;
      expect(steps).toContain(`  ${program} emails send`);
      expect(steps.includes('webhooks listen')).toBe(!isByAddress && !args.includes('--no-control'));
      expect(held.data.emails).toHaveLength(1);
      expect(other.stdout).toContain(held.data.emails[0]?.id);
    },
  );
});
