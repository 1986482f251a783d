import { execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { runsCommands } from '../../../src/cli/process/parent.js';
import { isAlive } from '../../../src/cli/process/process-identity.js';
import { HANDOVER_VARIABLE, takeBackgroundLog } from '../../../src/cli/server/detach.js';
import { BINARY, type Ready, ROOT, svc } from '../../support/cli/binary.js';
import { folderOfEachTest } from '../../support/each-test.js';
import { openSmtp } from '../../support/mail/smtp-session.js';
import { edit } from '../../support/storage/damage.js';

/** Tests servers that outlive the command that starts them, and servers that end with the program that starts them. */

const PORTS = ['--http-port', '0', '--smtp-port', '0'];

describe('svc dev --detach', () => {
  const folder = folderOfEachTest();
  const pids: number[] = [];

  afterEach(() => {
    for (const pid of pids.splice(0)) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  });

  const run = (...args: string[]) => svc(args, { env: { SVC_DATA_DIR: folder.path } });

  it('returns when the server is ready, and svc dev stop ends it', async () => {
    const secrets = ['--api-key', 'svc_test_background', '--smtp-user', 'ada:pencil', '--smtp-user=bob:eraser'];
    const { code, stdout } = await svc(['dev', '--detach', '--json', ...secrets, ...PORTS], {
      // The server’s first line of output is not its own.
      env: { SVC_DATA_DIR: folder.path, NODE_OPTIONS: '--inspect=0' },
    });
    const { pid, log, base_url, api_key, smtp } = JSON.parse(stdout);
    pids.push(pid);

    const response = await fetch(`${base_url}/emails`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ to: 'ada@example.test', from: 'app@example.test', subject: 'Private', html: 'x' }),
    });
    const listing = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    const replies = [];
    for (const login of ['ada:pencil', 'bob:eraser', 'ada:other']) replies.push(await replyToLogin(smtp, login));
    const again = await run('dev', '--detach', ...PORTS);
    const stopped = await run('dev', 'stop');

    expect({ code, status: response.status, api_key, log }).toEqual({
      code: 0,
      status: 201,
      api_key: 'svc_test_background',
      log: join(folder.path, 'server.log'),
    });
    expect(listing).toMatch(/ dev .*--http-port 0/);
    expect(listing).not.toMatch(/svc_test_|pencil|eraser/);
    expect(replies).toEqual(['235', '235', '535']);
    expect(again).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(`${base_url} (pid ${pid})`) });
    expect(stopped.code).toBe(0);
    expect(isAlive(pid)).toBe(false);
    // The second start has not replaced it.
    expect(readFileSync(log, 'utf8')).toContain(base_url);
    // A log that contained every event would grow with every email.
    expect(readFileSync(log, 'utf8')).not.toMatch(/ada@example|Private/);
    expect(readdirSync(folder.path).filter((name) => name.startsWith('server.log'))).toEqual(['server.log']);
  });

  it('adds a seed once, also one that has only a domain', async () => {
    const seed = join(folder.path, 'seed');
    mkdirSync(seed);
    writeFileSync(join(seed, 'seed.json'), JSON.stringify({ domains: [{ domain: 'shop.example', verified: false }] }));
    const starts = [];
    for (let start = 1; start <= 2; start += 1) {
      starts.push(await run('dev', '--detach', '--seed', seed, ...PORTS));
      await run('dev', 'stop');
    }
    expect(starts).toEqual([
      expect.objectContaining({ code: 0 }),
      expect.objectContaining({ code: 0, stderr: expect.stringContaining('The seed was not added') }),
    ]);
  });

  it('shows the warnings of the start, each once, and keeps them in the log', async () => {
    const seed = join(folder.path, 'seed');
    mkdirSync(seed);
    writeFileSync(join(seed, 'seed.json'), JSON.stringify({ suppressions: ['eve@example.test'] }));
    await run('suppressions', 'add', 'ada@example.test');
    const database = join(folder.path, 'mail.db');
    edit(database, "INSERT INTO settings VALUES ('clock', '{\"offset\":1e300}')");

    const { code, stdout, stderr } = await run('dev', '--detach', '--seed', seed, ...PORTS);
    pids.push(JSON.parse(readFileSync(join(folder.path, 'server.json'), 'utf8')).pid);
    const log = readFileSync(join(folder.path, 'server.log'), 'utf8');

    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('svc is running') });
    for (const output of [stderr, log]) {
      expect(output.match(/A damaged row of settings \(clock\) was set aside/g)).toHaveLength(1);
      expect(output.match(/warning: The seed was not added/g)).toHaveLength(1);
    }
    expect((await run('dev', 'stop')).code).toBe(0);
  });

  it('shows the error of a server that does not start, with its exit code', async () => {
    const { code, stdout, stderr } = await run('dev', '--detach', '--api-key', 'secret', ...PORTS);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^Error: --api-key must be svc_test_/);
    expect(existsSync(join(folder.path, 'server.log'))).toBe(false);
  });

  it('ends a server whose log cannot be replaced', async () => {
    mkdirSync(join(folder.path, 'server.log'));

    const { code, stdout, stderr } = await run('dev', '--detach', ...PORTS);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^Error: Cannot write .*server\.log: it is a directory\.\n/);
    expect(readdirSync(folder.path).filter((name) => /^server\.(json|log)/.test(name))).toEqual(['server.log']);
  });

  it.skipIf(!existsSync('/dev/full'))('reports the running server if its addresses cannot be printed', async () => {
    const full = openSync('/dev/full', 'w');
    const starting = spawn(process.execPath, [BINARY, 'dev', '--detach', ...PORTS], {
      stdio: ['ignore', full, 'pipe'],
      env: { ...process.env, SVC_DATA_DIR: folder.path },
    });
    closeSync(full);
    const exited = once(starting, 'close');
    const stderr = await text(starting.stderr ?? process.stdin);
    const { pid } = JSON.parse(readFileSync(join(folder.path, 'server.json'), 'utf8'));
    pids.push(pid);

    expect(await exited).toEqual([1, null]);
    expect(stderr).toContain(`The server runs in the background (pid ${pid}). Stop it with "svc dev stop`);
    expect(stderr).toContain('Error: Cannot write to stdout: ');
    expect((await run('dev', 'stop')).code).toBe(0);
  });

  it.each(['1', '{}', 'null', '{'])('ignores the value %s of the variable that it sets', (value) => {
    expect(takeBackgroundLog({ [HANDOVER_VARIABLE]: value })).toBeUndefined();
  });

  it('runs the GitHub Actions job of docs/ci.md', () => {
    const page = readFileSync(join(ROOT, 'docs/ci.md'), 'utf8');
    const [, section = ''] = page.split('## Run a job on GitHub Actions\n');
    const job = section.slice(0, section.indexOf('\n## '));
    const steps = [...job.matchAll(/^ *(?:- )?run: (.+)$/gm)]
      .map(([, run = '']) => run)
      .filter((run) => run !== 'npm ci' && !run.includes('dev exec'));
    const bin = join(folder.path, 'bin');
    const project = join(folder.path, 'project');
    for (const directory of [bin, project]) mkdirSync(directory);
    const scripts = { test: 'echo tested with $SVC_BASE_URL' };
    writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'app', private: true, scripts }));
    // The first argument of npx is the name of the command.
    writeFileSync(join(bin, 'npx'), `#!/bin/sh\nshift\nexec '${process.execPath}' '${BINARY}' "$@"\n`, { mode: 0o755 });
    const file = join(folder.path, 'github.env');
    writeFileSync(file, '');

    const shown = steps.map((step) => {
      // A step has the variables that earlier steps have written to the file.
      const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
      const set = Object.fromEntries(
        lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
      );
      const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, SVC_DATA_DIR: join(folder.path, 'data') };
      return execFileSync('bash', ['-e', '-c', step], {
        cwd: project,
        encoding: 'utf8',
        stdio: 'pipe',
        env: { ...env, GITHUB_ENV: file, ...set },
      });
    });

    expect(steps).toHaveLength(4);
    expect(shown[2]).toMatch(/^tested with http:\/\/127\.0\.0\.1:\d+\/v1$/m);
    // It was in memory, so its log is gone as well.
    expect(readdirSync(join(folder.path, 'data')).filter((name) => /^server\.(json|log)/.test(name))).toEqual([]);
  });

  it('ends with the process that starts it, until it is ready', async () => {
    const log = join(folder.path, 'server.log.1');
    writeFileSync(log, '');
    const env = { ...process.env, SVC_DATA_DIR: folder.path, [HANDOVER_VARIABLE]: JSON.stringify({ log }) };
    const server = fork(BINARY, ['dev', ...PORTS], { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    pids.push(server.pid ?? 0);
    const exited = once(server, 'exit');

    server.disconnect();

    expect(await exited).toEqual([0, null]);
    expect(readdirSync(folder.path).filter((name) => /^server\.(json|log)/.test(name))).toEqual([]);
  });

  it('leaves the channel alone of a program that starts svc dev with fork', async () => {
    const env = { ...process.env, SVC_DATA_DIR: folder.path };
    const server = fork(BINARY, ['dev', '--in-memory', ...PORTS], { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
    pids.push(server.pid ?? 0);
    const messages: unknown[] = [];
    server.on('message', (message) => messages.push(message));
    const lines = createInterface({ input: server.stdout ?? process.stdin });
    const exited = once(server, 'exit');
    for await (const line of lines) if (line.includes('To stop it') || line.includes('to stop.')) break;

    expect(server.connected).toBe(true);
    server.kill();
    await exited;
    expect(messages).toEqual([]);
  });
});

describe('svc dev --exit-with-parent', () => {
  it('ends when the program behind a shell is killed', async () => {
    // Without the last command, some shells replace themselves with svc.
    const command = `'${process.execPath}' '${BINARY}' dev --exit-with-parent --in-memory --json ${PORTS.join(' ')}; true`;
    const program = `require('child_process').spawn('sh', ['-c', ${JSON.stringify(command)}], { stdio: 'inherit' })`;
    const parent = spawn(process.execPath, ['-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, SVC_DATA_DIR: join(BINARY, 'none') },
    });
    // The server has inherited this pipe, so that the pipe closes when the server has ended.
    const closed = once(parent, 'close');
    const [first] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string];

    parent.kill('SIGKILL');

    await closed;
    expect(isAlive(JSON.parse(first).pid)).toBe(false);
  });

  it.each([
    [['sh', '-c', 'svc dev; true']],
    [['/bin/bash', '-ec', 'svc dev']],
    [['npm exec svc dev']],
    [['/usr/bin/node', '/usr/lib/node_modules/npm/bin/npx-cli.js', 'svc', 'dev']],
    [['node', '/home/ada/.yarn/yarn.cjs', 'svc', 'dev']],
  ])('treats %j as a runner of the command', (words) => {
    expect(runsCommands(words)).toBe(true);
  });

  it.each([[['-bash']], [['bash', 'start.sh']], [['node', 'test.js']], [['node (vitest)']], [['python3', '-c', 'x']]])(
    'treats %j as the program that started the server',
    (words) => {
      expect(runsCommands(words)).toBe(false);
    },
  );
});

/** Logs in as NAME:PASSWORD, and returns the code of the reply. */
async function replyToLogin(smtp: Ready['smtp'], login: string): Promise<string> {
  const session = await openSmtp(smtp);
  await session.reply();
  await session.say('EHLO client.example.test');
  const reply = await session.say(`AUTH PLAIN ${Buffer.from(`\0${login.replace(':', '\0')}`).toString('base64')}`);
  session.socket.end();
  return (reply ?? '').slice(0, 3);
}
