import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DATA_DIR_FILES } from '../../../src/storage/data-dir-files.js';
import type { DevServer } from '../../support/cli/binary.js';
import {
  bystander,
  emailsOf,
  impostor,
  KEY,
  lines,
  machine,
  prepareMachine,
  running,
  SEND,
  serverFile,
} from '../../support/cli/trust.js';

/** Tests that svc uses a data directory only if it is the user's own: it decides where email and keys go. */

/** Values in server.json that svc does not use, and the field that they are in. */
const UNUSABLE: [changes: object, field: string][] = [
  [{ base_url: 'http://192.0.2.1:8025/v1' }, 'base_url'],
  [{ base_url: 'http://127.0.0.1@192.0.2.1/v1' }, 'base_url'],
  [{ base_url: 'https://127.0.0.1/v1' }, 'base_url'],
  [{ smtp: { host: 'attacker.example', port: 25 } }, 'smtp.host'],
  [{ smtp: { host: '127.0.0.1', port: 0 } }, 'smtp.port'],
  [{ pid: 2.5 }, 'pid'],
  [{ pid: '4711' }, 'pid'],
  [{ pid: 0 }, 'pid'],
  [{ pid: 1 }, 'pid'],
  [{ api_key: 'svc_test_x\r\nX-Evil: 1' }, 'api_key'],
];

prepareMachine();

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

  it('that svc created is found from a second terminal, without a message', async () => {
    const { ready } = await startServer();

    const whoami = await machine.victim.svc(['whoami', '--json'], below());

    expect({ ...whoami, stdout: JSON.parse(whoami.stdout) }).toMatchObject({
      code: 0,
      stderr: '',
      stdout: { kind: 'local', base_url: ready.base_url, key_works: true },
    });
  });

  it('holds only files whose owners and modes svc checks', async () => {
    await startServer();

    const names = readdirSync(dataDir());

    expect(names).toEqual(expect.arrayContaining(['mail.db', 'server.json', 'server.lock']));
    expect(names.filter((name) => !DATA_DIR_FILES.includes(name))).toEqual([]);
  });

  it('that was created by hand and is empty is used, and found again', async () => {
    const options = below();
    mkdirSync(dataDir(), { mode: 0o755 });
    machine.victim.give(dataDir());

    const send = await machine.victim.svc([...SEND, '--json'], options);

    expect(send).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(join(dataDir(), 'mail.db'))).toBe(true);
    expect(await emailsOf([], options)).toEqual(['secret']);
  });

  it('is used with --trust-data-dir after it was copied, and later without the flag', async () => {
    const options = below();
    expect(await machine.victim.svc([...SEND, '--data-dir', '../.svc'], options)).toMatchObject({ code: 0 });
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
    expect(await machine.victim.svc([...SEND, '--data-dir', '../.svc'], options)).toMatchObject({ code: 0 });
    chmodSync(join(dataDir(), name), mode);

    const list = await machine.victim.svc(['emails', 'list', '--json'], options);

    expect(JSON.parse(list.stdout).emails).toEqual([]);
    expect(lines(list)).toEqual([expect.stringContaining(`${dataDir()} is not used`)]);
    expect(list.stderr).toContain(advice);
  });

  it('whose server.json names another server is refused with one line', async () => {
    const options = below();
    expect(await machine.victim.svc([...SEND, '--data-dir', '../.svc'], options)).toMatchObject({ code: 0 });
    const { pid } = await bystander();
    const refusal = (field: string) => `Error: ${join(dataDir(), 'server.json')} is not used: ${field} must`;
    const write = (changes: object) => {
      writeFileSync(join(dataDir(), 'server.json'), serverFile(pid, changes), { mode: 0o600 });
      machine.victim.give(dataDir());
    };
    const run = (args: string[]) => machine.victim.svc(args, { ...options, env: KEY });

    write({ base_url: 'http://attacker.example/v1' });
    const commands = [
      ['dev', 'env'],
      ['dev', 'exec', '--', 'env'],
      ['emails', 'list'],
      ['dev', 'stop'],
    ];
    const finished = await Promise.all(commands.map(run));

    // A shell that evaluates the output of dev env fails.
    expect(finished.map(({ stdout }) => stdout)).toEqual(['false\n', '', '', '']);
    for (const { code, stderr } of finished) {
      expect(code).toBe(1);
      expect(stderr.split('\n')[0]).toContain(refusal('base_url'));
    }

    for (const [changes, field] of UNUSABLE) {
      write(changes);
      const { code, stdout, stderr } = await run(['emails', 'list']);
      expect({ changes, code, stdout, error: stderr.split('\n')[0] }).toEqual({
        ...{ changes, code: 1, stdout: '' },
        error: expect.stringContaining(refusal(field)),
      });
    }
    expect(impostor.received).toEqual([]);
    // A server that starts there replaces it.
    expect((await startServer()).ready.data_dir).toBe(dataDir());
  });
  it('whose server.json cannot be used neither blocks a command for another server nor gives it a key', async () => {
    const options = below();
    expect(await machine.victim.svc([...SEND, '--data-dir', '../.svc'], options)).toMatchObject({ code: 0 });
    const faulty = serverFile((await bystander()).pid, { smtp: { host: 'attacker.example', port: 25 } });
    writeFileSync(join(dataDir(), 'server.json'), faulty, { mode: 0o600 });
    machine.victim.give(dataDir());
    const whoami = ['whoami', '--json', '--base-url', impostor.baseUrl];

    const withKey = await machine.victim.svc(whoami, { ...options, env: KEY });
    const withoutKey = await machine.victim.svc(whoami, options);

    expect(JSON.parse(withKey.stdout)).toMatchObject({ kind: 'remote', base_url: impostor.baseUrl });
    expect(withoutKey).toMatchObject({ code: 2, stderr: expect.stringContaining('No API key') });
    expect(impostor.received.filter((each) => each.includes('svc_test_known'))).toEqual([]);
  });
});
