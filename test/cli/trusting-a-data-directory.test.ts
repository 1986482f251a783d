import { type ChildProcess, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DevServer, Finished } from '../support/binary.js';
import { isInstalled, runTool } from '../support/tools.js';
import { isRoot, type Listener, type Machine, openMachine, startImpostor } from '../support/users.js';

/** A data directory decides where mail and keys go, so svc uses one only if it is the user's own. */

const KEY = { SVC_API_KEY: 'svc_live_0123456789abcdef0123456789abcdef' };
const SEND = ['emails', 'send', '--to', 'ada@example.test', '--from', 'a@example.test', '--subject', 'secret'];

let machine: Machine;
let impostor: Listener;
const running: { servers: DevServer[]; bystanders: ChildProcess[] } = { servers: [], bystanders: [] };

beforeEach(async () => {
  machine = openMachine();
  impostor = await startImpostor('evil');
});
afterEach(async () => {
  for (const server of running.servers.splice(0)) await server.stop('SIGKILL');
  for (const child of running.bystanders.splice(0)) child.kill('SIGKILL');
  await impostor.close();
  machine.remove();
});

const lines = ({ stderr }: Finished) => stderr.trimEnd().split('\n');

async function bystander(): Promise<ChildProcess> {
  const child = await machine.victim.startBystander();
  running.bystanders.push(child);
  return child;
}

/** What Linux tells of a process: when it started and, as a digest, its command line; null elsewhere, as svc writes it. */
function identityOf(pid: number | undefined): string | null {
  try {
    const [, started] = /^.*\) (?:\S+ ){19}(\S+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return `${started} ${createHash('sha256')
      .update(readFileSync(`/proc/${pid}/cmdline`))
      .digest('hex')}`;
  } catch {
    return null;
  }
}

/** What an attacker who knows everything about a process would write. */
function serverFile(pid: number | undefined, changes: object = {}): string {
  return JSON.stringify({
    pid,
    process: identityOf(pid),
    instance: 'evil',
    base_url: impostor.baseUrl,
    smtp: { host: '127.0.0.1', port: impostor.port },
    data_dir: null,
    started_at: '2026-01-01T00:00:00.000Z',
    api_key: 'svc_test_known',
    webhook_secret: 'whsec_known',
    ...changes,
  });
}

async function emailsOf(args: string[], options = {}): Promise<string[]> {
  const { stdout } = await machine.victim.svc(['emails', 'list', '--json', ...args], options);
  return JSON.parse(stdout).emails.map(({ subject }: { subject: string }) => subject);
}

describe.skipIf(!isInstalled('git'))('a cloned repository that carries .svc', () => {
  let clone: string;

  async function cloneWith(umask: string, content: string): Promise<void> {
    const { path, victim } = machine;
    const origin = join(path, 'origin');
    mkdirSync(join(origin, '.svc'), { recursive: true });
    writeFileSync(join(origin, '.svc/server.json'), content);
    const env = { PATH: process.env.PATH ?? '', HOME: path };
    const git = (...args: string[]) => runTool('git', args, '', { cwd: origin, env });
    await git('init', '--quiet');
    await git('add', '--force', '.svc');
    await git('-c', 'user.name=x', '-c', 'user.email=x@example.test', 'commit', '--quiet', '--message=x');
    clone = join(path, 'clone');
    await runTool('sh', ['-c', `umask ${umask}; git clone --quiet "$0" "$1"`, origin, clone], '', { env });
    victim.give(clone);
  }

  it.each(['022', '077'])('is not used, with umask %s: its server gets no key and no mail', async (umask) => {
    await cloneWith(umask, serverFile((await bystander()).pid));
    const { victim } = machine;
    const here = { cwd: clone, env: KEY };

    const list = await victim.svc(['emails', 'list'], here);
    const send = await victim.svc(SEND, { cwd: clone });
    const environment = await victim.svc(['dev', 'env'], here);
    const inside = await victim.svc(['dev', 'exec', '--', process.execPath, '-p', 'process.env.SVC_BASE_URL'], here);
    const whoami = await victim.svc(['whoami', '--json'], here);
    const completion = await victim.svc(['completion-values', '--', 'emails', 'get', ''], here);

    expect(impostor.received).toEqual([]);
    for (const finished of [list, send, environment, inside, whoami]) {
      const told = lines(finished).filter((line) => line.includes('is not used'));
      expect(told).toEqual([expect.stringContaining(`${join(clone, '.svc')} is not used: `)]);
      expect(told[0]).toContain(`Using ${join(victim.home, 'data/svc')} instead.`);
      expect(told[0]).toContain('--trust-data-dir');
    }
    expect(send.code).toBe(0);
    expect(environment).toMatchObject({ code: 5, stdout: '' });
    expect(inside).toMatchObject({ code: 0, stdout: expect.not.stringContaining(impostor.baseUrl) });
    expect(completion).toMatchObject({ code: 0, stderr: '' });
    expect(await emailsOf(['--data-dir', join(victim.home, 'data/svc')])).toEqual(['secret']);
  });

  it('is reported by doctor, with what to do', async () => {
    await cloneWith('077', serverFile((await bystander()).pid));

    const { code, stdout } = await machine.victim.svc(['doctor', '--json'], { cwd: clone });

    expect(code).toBe(1);
    expect(JSON.parse(stdout).findings).toContainEqual({
      check: 'data directory',
      ok: false,
      found: expect.stringContaining(`${join(clone, '.svc')} is not used`),
      cure: expect.stringContaining('--trust-data-dir'),
    });
    expect(impostor.received).toEqual([]);
  });

  it('does not make another data directory be emptied in its place', async () => {
    await cloneWith('022', '{}');
    await machine.victim.svc(SEND);

    const reset = await machine.victim.svc(['dev', 'reset', '--yes'], { cwd: clone });

    expect(reset).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing was deleted') });
    expect(await emailsOf([])).toEqual(['secret']);
  });
});

describe('a .svc directory of the user', () => {
  const dataDir = () => join(machine.victim.home, 'project/.svc');
  const below = () => {
    const cwd = join(machine.victim.home, 'project/src');
    mkdirSync(cwd, { recursive: true });
    machine.victim.give(join(machine.victim.home, 'project'));
    return { cwd };
  };

  async function startServer(): Promise<DevServer> {
    const { cwd } = below();
    const server = await machine.victim.startDev(['--data-dir', '../.svc'], { cwd });
    running.servers.push(server);
    return server;
  }

  it('that svc created is found from a second terminal, without a word', async () => {
    const { ready } = await startServer();

    const whoami = await machine.victim.svc(['whoami', '--json'], below());

    expect({ ...whoami, stdout: JSON.parse(whoami.stdout) }).toMatchObject({
      code: 0,
      stderr: '',
      stdout: { kind: 'local', base_url: ready.base_url, key_works: true },
    });
  });

  it('that was made by hand and is empty is used, and found again', async () => {
    const options = below();
    mkdirSync(dataDir(), { mode: 0o755 });
    machine.victim.give(dataDir());

    const send = await machine.victim.svc([...SEND, '--json'], options);

    expect(send).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(join(dataDir(), 'mail.db'))).toBe(true);
    expect(await emailsOf([], options)).toEqual(['secret']);
  });

  it('is used with --trust-data-dir after it was copied, and from then on without', async () => {
    const options = below();
    await machine.victim.svc([...SEND, '--data-dir', '../.svc'], options);
    cpSync(dataDir(), join(options.cwd, '.svc'), { recursive: true, mode: 0 });
    chmodSync(join(options.cwd, '.svc'), 0o700);
    machine.victim.give(options.cwd);
    const whose = async (args: string[] = [], env = {}) =>
      machine.victim.svc(['whoami', ...args], { ...options, env }).then(({ stdout, stderr }) => {
        expect(stdout.includes(`${options.cwd}/.svc`)).toBe(!stderr.includes('is not used'));
        return stderr;
      });

    expect(await whose()).toContain(`Using ${dataDir()} instead`);
    expect(await whose([], { SVC_TRUST_DATA_DIR: '1' })).toBe('');
    expect(await whose()).toContain('is not used');
    expect(await whose(['--trust-data-dir'])).toBe('');
    expect(await whose()).toBe('');
  });

  it.each([
    ['others can write to', '', 0o777, 'chmod 700'],
    ['has credentials that others can read', 'credentials.json', 0o644, 'chmod 600'],
    ['has a database that others can write to', 'mail.db', 0o666, 'chmod 600'],
  ])('that %s is not used', async (_, name, mode, advice) => {
    const options = below();
    await machine.victim.svc([...SEND, '--data-dir', '../.svc'], options);
    chmodSync(join(dataDir(), name), mode);

    const list = await machine.victim.svc(['emails', 'list', '--json'], options);

    expect(JSON.parse(list.stdout).emails).toEqual([]);
    expect(lines(list)).toEqual([expect.stringContaining(`${dataDir()} is not used`)]);
    expect(list.stderr).toContain(advice);
  });

  it.each([
    ['another host', { base_url: 'http://attacker.example/v1' }, 'base_url'],
    ['another host by its address', { base_url: 'http://192.0.2.1:8025/v1' }, 'base_url'],
    ['another host after a user name', { base_url: 'http://127.0.0.1@192.0.2.1/v1' }, 'base_url'],
    ['https', { base_url: 'https://127.0.0.1/v1' }, 'base_url'],
    ['another host for SMTP', { smtp: { host: 'attacker.example', port: 25 } }, 'smtp.host'],
    ['no SMTP port', { smtp: { host: '127.0.0.1', port: 0 } }, 'smtp.port'],
    ['a fraction as pid', { pid: 2.5 }, 'pid'],
    ['a text as pid', { pid: '4711' }, 'pid'],
    ['pid 0', { pid: 0 }, 'pid'],
    ['pid 1', { pid: 1 }, 'pid'],
    ['a key with a line break', { api_key: 'svc_test_x\r\nX-Evil: 1' }, 'api_key'],
  ])('whose server.json names %s is refused with one line', async (_, changes, field) => {
    const options = below();
    await machine.victim.svc([...SEND, '--data-dir', '../.svc'], options);
    writeFileSync(join(dataDir(), 'server.json'), serverFile((await bystander()).pid, changes), { mode: 0o600 });
    machine.victim.give(dataDir());

    const finished = await Promise.all(
      [
        ['dev', 'env'],
        ['dev', 'exec', '--', 'env'],
        ['emails', 'list'],
        ['dev', 'stop'],
      ].map((args) => machine.victim.svc(args, { ...options, env: KEY })),
    );

    for (const { code, stdout, stderr } of finished) {
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr.split('\n')[0]).toContain(`Error: ${join(dataDir(), 'server.json')} is not used: ${field} must`);
    }
    expect(impostor.received).toEqual([]);
    // A server that starts there replaces it.
    expect((await startServer()).ready.data_dir).toBe(dataDir());
  });
});

// Elsewhere nothing tells a process from one that had its id before; there the lock of the directory decides alone.
describe.skipIf(process.platform !== 'linux')('a process that is not the server', () => {
  const dataDir = () => join(machine.victim.home, '.svc');

  /** As SIGKILL leaves a server.json behind, with this in it. */
  async function leaveServerFile(changes: (left: object) => object): Promise<{ instance: string; port: number }> {
    const server = await machine.victim.startDev(['--data-dir', '.svc']);
    const file = join(dataDir(), 'server.json');
    const left = JSON.parse(readFileSync(file, 'utf8'));
    await server.stop('SIGKILL');
    expect(existsSync(file)).toBe(true);
    writeFileSync(file, JSON.stringify({ ...left, ...changes(left) }));
    return { instance: left.instance, port: Number(new URL(left.base_url).port) };
  }

  it('with an id that was given again is not taken for it, whoever has the port now', async () => {
    const { pid } = await bystander();
    const { instance, port } = await leaveServerFile(() => ({ pid }));
    const successor = await startImpostor(instance, port);

    const list = await machine.victim.svc(['emails', 'list'], { env: KEY });
    const environment = await machine.victim.svc(['dev', 'env']);
    const stop = await machine.victim.svc(['dev', 'stop']);

    await successor.close();
    expect(successor.received).toEqual([]);
    // The key is not one of that data directory, and there is no server to take it.
    expect(list.code).toBe(4);
    expect(environment).toMatchObject({ code: 5, stdout: '' });
    expect(stop).toMatchObject({ code: 5, stdout: '' });
    expect(process.kill(pid as number, 0)).toBe(true);
  });

  it('is not stopped, even where everything that is written matches it and something answers', async () => {
    const { pid } = await bystander();
    await leaveServerFile(() => JSON.parse(serverFile(pid)));

    const stop = await machine.victim.svc(['dev', 'stop']);

    expect(stop).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(`Process ${pid} was not stopped`),
    });
    expect(process.kill(pid as number, 0)).toBe(true);
  });

  it('is not stopped by a server.json of a dead server that names it without a start time', async () => {
    const { pid } = await bystander();
    await leaveServerFile(() => ({ ...JSON.parse(serverFile(pid)), process: undefined }));

    expect(await machine.victim.svc(['dev', 'stop'])).toMatchObject({ code: 5, stdout: '' });
    expect(process.kill(pid as number, 0)).toBe(true);
  });

  // As any other user, kill(-1) would end what the tests themselves run in.
  it.skipIf(!isRoot).each([-1, 0, 1])(
    'is not signalled by pid %i, which means every process, the group or the system',
    async (pid) => {
      const child = await bystander();
      const exited = once(child, 'exit').then(() => 'exited');
      await leaveServerFile(() => ({ ...JSON.parse(serverFile(child.pid)), pid }));

      const stop = await machine.victim.svc(['dev', 'stop']);

      expect(stop).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('pid must be') });
      // A second process of this user, started and ended after it.
      await machine.victim.svc(['--version']);
      expect(await Promise.race([exited, Promise.resolve('runs')])).toBe('runs');
    },
  );

  it('that is alive and stopped is the server, and is stopped', async () => {
    const server = await machine.victim.startDev(['--data-dir', '.svc']);
    const exited = once(server.child, 'exit');
    server.child.kill('SIGSTOP');

    expect((await machine.victim.svc(['dev', 'stop'])).code).toBe(0);
    expect(await exited).toEqual([0, null]);
  });
});

describe.skipIf(!isRoot)('a data directory of another user', () => {
  const shared = () => join(machine.path, 'shared');
  const attackersDir = () => join(shared(), '.svc');
  const below = () => ({ cwd: join(shared(), 'work') });

  beforeEach(async () => {
    const { attacker, victim } = machine;
    mkdirSync(join(shared(), 'work'), { recursive: true });
    attacker.give(shared());
    victim.give(join(shared(), 'work'));
    await attacker.svc(['emails', 'list', '--data-dir', attackersDir()]);
    chmodSync(attackersDir(), 0o777);
    for (const name of ['mail.db', 'credentials.json']) chmodSync(join(attackersDir(), name), 0o666);
  });

  it('is not used when it is found: mail stays out of it', async () => {
    const send = await machine.victim.svc(SEND, below());

    const { stdout } = await machine.attacker.svc(['emails', 'list', '--json', '--data-dir', attackersDir()]);
    expect(send.code).toBe(0);
    expect(lines(send)[0]).toContain(`${attackersDir()} is not used: it belongs to another user (uid 12345)`);
    expect(JSON.parse(stdout).emails).toEqual([]);
    expect(await emailsOf(['--data-dir', join(machine.victim.home, 'data/svc')])).toEqual(['secret']);
  });

  it('is not used when it is empty: it could be filled later', async () => {
    const empty = join(shared(), 'work/empty/.svc');
    mkdirSync(empty, { recursive: true, mode: 0o777 });
    machine.attacker.give(empty);

    const { stderr } = await machine.victim.svc(['emails', 'list'], { cwd: join(empty, '..') });

    expect(stderr).toContain(`${empty} is not used`);
  });

  it.each(['flag', 'variable'])('is refused when a %s names it, unless it is said to be trusted', async (how) => {
    const args = how === 'flag' ? ['--data-dir', attackersDir()] : [];
    const env: Record<string, string> = how === 'flag' ? {} : { SVC_DATA_DIR: attackersDir() };
    const refused = await machine.victim.svc(['emails', 'list', ...args], { env });
    const doctor = await machine.victim.svc(['doctor', ...args], { env });
    const byFlag = await machine.victim.svc(['emails', 'list', '--trust-data-dir', ...args], { env });
    const byVariable = await machine.victim.svc(['emails', 'list', ...args], {
      env: { ...env, SVC_TRUST_DATA_DIR: '1' },
    });

    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(`The data directory ${attackersDir()} is not used: it belongs to another user`);
    expect(refused.stderr).toContain('--trust-data-dir');
    expect(doctor).toMatchObject({ code: 1, stdout: expect.stringContaining('it belongs to another user') });
    expect(byFlag).toMatchObject({ code: 0, stderr: expect.not.stringContaining('warning') });
    expect(byVariable).toMatchObject({ code: 0, stderr: expect.not.stringContaining('warning') });
  });

  it('is not completed from', async () => {
    await machine.attacker.svc([...SEND, '--data-dir', attackersDir()]);
    // svc has closed it to others again.
    chmodSync(join(attackersDir(), 'mail.db'), 0o666);

    const { stdout } = await machine.victim.svc(
      ['completion-values', '--', 'emails', 'get', '--data-dir', attackersDir(), ''],
      below(),
    );

    expect(stdout).not.toContain('msg_');
  });

  it('is used with a warning when it is named and root’s', async () => {
    const mounted = join(machine.path, 'mounted');
    mkdirSync(mounted);
    chmodSync(mounted, 0o777);

    const { code, stderr } = await machine.victim.svc(['emails', 'list', '--data-dir', mounted]);
    const again = await machine.victim.svc(['emails', 'list', '--data-dir', mounted], {
      env: { SVC_TRUST_DATA_DIR: '1' },
    });

    expect(code).toBe(0);
    expect(stderr.match(/Other users can write to the data directory/g)).toHaveLength(1);
    expect(again).toMatchObject({ code: 0, stderr: expect.not.stringContaining('warning') });
  });
});

describe('a named data directory that others can write to', () => {
  it('is used by svc dev with one warning, on stderr alone', async () => {
    const dataDir = join(machine.victim.home, 'mounted');
    mkdirSync(dataDir);
    chmodSync(dataDir, 0o777);
    machine.victim.give(dataDir);

    const list = await machine.victim.svc(['emails', 'list', '--json', '--data-dir', dataDir]);

    expect(list.code).toBe(0);
    expect(lines(list).map((line) => JSON.parse(line))).toEqual([
      { warning: { message: expect.stringContaining(`Other users can write to the data directory ${dataDir}.`) } },
    ]);
  });
});

describe('a plain file named .svc in a project', () => {
  it('is not used, with a warning that says why', async () => {
    const { victim } = machine;
    const cwd = join(victim.home, 'project');
    mkdirSync(cwd);
    writeFileSync(join(cwd, '.svc'), 'x');
    victim.give(cwd);

    for (const args of [[], ['--trust-data-dir']]) {
      const list = await victim.svc(['emails', 'list', '--json', ...args], { cwd });
      expect(list.code).toBe(0);
      expect(lines(list)).toEqual([
        expect.stringContaining(`${join(cwd, '.svc')} is not used: it is not a directory.`),
      ]);
    }
  });
});

describe.skipIf(process.platform === 'win32')('a data directory that is trusted by a flag', () => {
  const dataDir = () => join(machine.victim.home, 'project/.svc');
  const run = (args: string[]) =>
    machine.victim.svc([...args, '--trust-data-dir'], { cwd: join(machine.victim.home, 'project') });

  beforeEach(() => mkdirSync(dataDir(), { recursive: true }));

  it.each(['server.json', 'credentials.json', 'made-by-svc'])(
    'does not hang on a pipe in the place of %s',
    async (name) => {
      execFileSync('mkfifo', [join(dataDir(), name)]);
      machine.victim.give(join(machine.victim.home, 'project'));

      const { code, stderr } = await run(['emails', 'list']);

      expect(code).toBe(name === 'made-by-svc' ? 0 : 1);
      if (name !== 'made-by-svc') expect(stderr).toContain(`${join(dataDir(), name)} cannot be read`);
    },
  );

  it.each(['server.json', 'credentials.json'])('does not read a large %s', async (name) => {
    // Valid, apart from the spaces that follow.
    writeFileSync(
      join(dataDir(), name),
      JSON.stringify({ api_key: 'svc_test_x', webhook_secret: 'whsec_x' }).padEnd(64 * 1024 + 1),
    );
    machine.victim.give(join(machine.victim.home, 'project'));

    const { code, stderr } = await run(['emails', 'list']);

    expect(code).toBe(1);
    expect(stderr).toContain(`${join(dataDir(), name)} cannot be read`);
  });
});
