import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { BINARY, start, svc, svcInTurn } from '../../../support/cli/binary.js';
import { folderOfEachTest } from '../../../support/each-test.js';
import { directoryFilled } from '../../../support/files.js';

/** Tests running a command with a server in its environment. */

describe('svc dev exec', () => {
  const folder = folderOfEachTest();

  const exec = (...args: string[]) => svc(['dev', 'exec', ...args], { env: { SVC_DATA_DIR: folder.path } });
  /** In this process, for what is refused before a command starts. */
  const refused = (...args: string[]) => svcInTurn(['dev', 'exec', ...args], { env: { SVC_DATA_DIR: folder.path } });
  const node = (script: string) => ['--', process.execPath, '-e', script];
  const SEND = `fetch(process.env.SVC_BASE_URL + '/emails', { method: 'POST', headers: {
      authorization: 'Bearer ' + process.env.SVC_API_KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ to: 'ada@example.test', from: 'app@example.test', subject: 'Hi', html: 'x' }) })
    .then((response) => console.log(response.status, process.env.SVC_BASE_URL));`;

  it('starts a server for the command when none is running, and removes it afterwards', async () => {
    const { code, stdout } = await exec(...node(SEND));

    const [status, baseUrl] = stdout.trim().split(' ');
    expect({ code, status }).toEqual({ code: 0, status: '201' });
    await expect(fetch(`${baseUrl}/emails`)).rejects.toThrow();
    expect((await svc(['emails', 'list', '--json', '--data-dir', folder.path])).stdout).toContain('"emails":[]');
  });

  it('makes svc inside the command treat the server as a local one', async () => {
    const { stdout } = await exec('--', process.execPath, BINARY, 'dev', 'status', '--json');

    expect(JSON.parse(stdout)).toMatchObject({ running: true, counts: { emails: 0 } });
  });

  it('uses the running server, and its own with --fresh', async () => {
    const dev = await folder.startServer();
    const show = node('console.log(process.env.SVC_BASE_URL)');

    expect((await exec(...show)).stdout).toBe(`${dev.ready.base_url}\n`);
    expect((await exec('--fresh', ...show)).stdout).not.toBe(`${dev.ready.base_url}\n`);
  });

  it.each([
    ['free', '60'],
    // The limit of the key itself, which is the largest.
    ['none', '1000000'],
  ])('gives its own server the plan %s', async (plan, limit) => {
    const script = `fetch(process.env.SVC_BASE_URL + '/emails', { headers: { authorization: 'Bearer ' + process.env.SVC_API_KEY } })
      .then((response) => console.log(response.headers.get('x-ratelimit-limit')));`;

    expect((await exec('--plan', plan, ...node(script))).stdout).toBe(`${limit}\n`);
  });

  it('reports what the service may refuse when the command ends, and fails with --fail-on-warning', async () => {
    const junit = join(folder.path, 'report.xml');
    // Setting the clock back does not hide what comes after it.
    const script = `fetch(new URL('/_svc/clock', process.env.SVC_BASE_URL), { method: 'PATCH', headers: {
        authorization: 'Bearer ' + process.env.SVC_API_KEY, 'content-type': 'application/json' },
      body: '{"now":"2020-01-01T00:00:00Z"}' }).then(() => ${SEND.replace('html:', 'tagz: [], html:').replace(/;$/, '')});`;
    const reported = await exec('--report-junit', junit, '--fail-on-warning', ...node(script));

    expect({ code: reported.code, stdout: reported.stdout }).toEqual({
      code: 3,
      stdout: expect.stringMatching(/^201 /),
    });
    expect(reported.stderr).toMatch(
      /^1 warning and 1 note since .*\n\nwarning {2}unknown_field {2}POST \/v1\/emails {2}1 request\n/,
    );
    expect(readFileSync(junit, 'utf8')).toContain('<testcase classname="POST /v1/emails" name="unknown_field: tagz');

    const reports = join(folder.path, 'reports');
    mkdirSync(reports);
    const remove = node(`fs.rmSync(${JSON.stringify(reports)}, { recursive: true }); process.exit(7)`);
    const failed = await exec('--report-junit', join(reports, 'a.xml'), ...remove);
    expect(failed).toMatchObject({ code: 7, stderr: expect.stringContaining('Cannot write') });

    const strict = await exec('--strict', '--domain', 'Example.test', '--report', '--fail-on-warning', ...node(SEND));
    expect(strict).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^201 /),
      stderr: expect.stringMatching(/^No warnings since /),
    });
  });

  it('gives its own server the other rules that svc dev has', async () => {
    const script = `fetch(process.env.SVC_BASE_URL + '/emails', { method: 'POST', headers: {
        authorization: 'Bearer ' + process.env.SVC_API_KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ to: 'ada@example.test', from: 'a@example.test', subject: 'Hi', html: 'x', sujbect: 1 }) })
      .then((response) => console.log(response.status));`;

    expect((await exec('--strict', ...node(script))).stdout).toBe('422\n');
    expect(await refused('--retry-schedule', 'soon', ...node(script))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--retry-schedule'),
    });
  });

  it('refuses rules for a server that already runs, and accepts them with --fresh', async () => {
    const dev = await folder.startServer();
    const nothing = node('');

    const { code, stderr } = await refused('--plan', 'none', ...nothing);

    expect(code).toBe(2);
    expect(stderr).toContain(dev.ready.base_url);
    expect(stderr).toContain('--fresh');
    expect((await exec('--plan', 'none', '--fresh', ...nothing)).code).toBe(0);
  });

  it('exits with the exit code of the command, and prints only the command’s output', async () => {
    expect(await exec(...node('console.log("out"); console.error("err"); process.exitCode = 7'))).toEqual({
      code: 7,
      stdout: 'out\n',
      stderr: 'err\n',
    });
  });

  it('exits as a shell does when a signal ends the command', async () => {
    expect((await exec(...node('process.kill(process.pid, "SIGKILL")'))).code).toBe(137);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('passes %s on to the command, and waits for it', async (signal) => {
    const script = `process.on('${signal}', () => { console.log('got it'); process.exit(9); });
      setInterval(() => {}, 1e6); console.log('ready');`;
    const child = spawn(process.execPath, [BINARY, 'dev', 'exec', ...node(script)], {
      env: { ...process.env, SVC_DATA_DIR: folder.path },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    expect((await lines.next()).value).toBe('ready');

    child.kill(signal);

    expect((await lines.next()).value).toBe('got it');
    expect(await exited).toEqual([9, null]);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('leaves nothing behind when %s comes while the server starts', async (signal, code) => {
    const begun = start(['dev', 'exec', ...node('setInterval(() => {}, 1e6)')], {
      env: { SVC_DATA_DIR: join(folder.path, 'data'), TMPDIR: folder.path },
    });
    const exited = once(begun, 'exit');
    await directoryFilled(folder.path);

    begun.kill(signal);

    expect(await exited).toEqual([code, null]);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it.each([
    ['without a command', [], 'Missing required argument COMMAND.'],
    ['with a command before --', ['npm', '--', 'test'], 'Unexpected argument before --'],
  ])('refuses a command line %s', async (_, args, message) => {
    const { code, stderr } = await refused(...args);

    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it.each([
    ['that does not exist', './no-such-command', 127, 'command not found'],
    ['that is not executable', '/', 126, 'permission denied'],
  ])('exits as a shell does for a command %s', async (_, command, code, message) => {
    const [junit, link] = [join(folder.path, 'report.xml'), join(folder.path, 'link.xml')];
    symlinkSync(junit, link);
    // A report of an earlier run is removed.
    writeFileSync(junit, '<testsuites/>');
    expect(await exec('--report-junit', link, '--', command)).toMatchObject({
      code,
      stderr: expect.stringContaining(message),
    });
    expect(existsSync(junit)).toBe(false);
    expect(readlinkSync(link)).toBe(junit);
  });

  it('checks the file of the report before the command starts', async () => {
    const missing = join(folder.path, 'missing', 'r.xml');
    const { code, stdout, stderr } = await refused('--report-junit', missing, ...node(SEND));

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^Error: Cannot write .*r\.xml: /);
    expect(await refused('--artifacts', '', ...node(SEND))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--artifacts must not be empty.'),
    });
  });
});
