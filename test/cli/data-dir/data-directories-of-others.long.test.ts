import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { offered } from '../../support/cli/completion.js';
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
import { isRoot } from '../../support/cli/users.js';

/** Tests a data directory that other users own, or can write to. */

prepareMachine();

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

  it('is not used when it is found: no email is stored in it', async () => {
    const send = await machine.victim.svc(SEND, below());

    const { stdout } = await machine.attacker.svc(['emails', 'list', '--json', '--data-dir', attackersDir()]);
    expect(send.code).toBe(0);
    expect(lines(send)[0]).toContain(`${attackersDir()} is not used: it belongs to another user (uid 12345)`);
    expect(JSON.parse(stdout).emails).toEqual([]);
    expect(await emailsOf(['--data-dir', join(machine.victim.home, 'data/svc')])).toEqual(['secret']);
  });

  it('is not used when it is empty: its owner could fill it later', async () => {
    const empty = join(shared(), 'work/empty/.svc');
    mkdirSync(empty, { recursive: true, mode: 0o777 });
    machine.attacker.give(empty);

    const { stderr } = await machine.victim.svc(['emails', 'list'], { cwd: join(empty, '..') });

    expect(stderr).toContain(`${empty} is not used`);
  });

  it.each(['flag', 'variable'])('is refused when a %s names it without trusting it', async (how) => {
    const args = how === 'flag' ? ['--data-dir', attackersDir()] : [];
    const env: Record<string, string> = how === 'flag' ? {} : { SVC_DATA_DIR: attackersDir() };
    const refused = await machine.victim.svc(['emails', 'list', ...args], { env });
    const trusted =
      how === 'flag'
        ? await machine.victim.svc(['emails', 'list', '--trust-data-dir', ...args])
        : await machine.victim.svc(['emails', 'list'], { env: { ...env, SVC_TRUST_DATA_DIR: '1' } });

    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(`The data directory ${attackersDir()} is not used: it belongs to another user`);
    expect(refused.stderr).toContain('--trust-data-dir');
    expect(trusted).toMatchObject({ code: 0, stderr: expect.not.stringContaining('warning') });
  });

  it('is reported by doctor when it is named', async () => {
    const doctor = await machine.victim.svc(['doctor', '--data-dir', attackersDir()]);

    expect(doctor).toMatchObject({ code: 1, stdout: expect.stringContaining('it belongs to another user') });
  });

  it('does not block commands for another server when it is refused', async () => {
    const remote = await machine.victim.startDev(['--in-memory']);
    running.servers.push(remote);
    const { base_url, api_key } = remote.ready;
    const options = { env: { SVC_DATA_DIR: attackersDir() } };
    const named = ['--base-url', base_url, '--api-key', api_key];

    const send = await machine.victim.svc([...SEND, '--html', '<p>x</p>', '--json', ...named], options);
    const completion = await offered(['emails', 'get', ...named, ''], { ...options, least: 2 });
    const listen = await machine.victim.svc(
      ['webhooks', 'listen', '--forward-to', 'http://127.0.0.1:9/', ...named],
      options,
    );

    expect(send).toMatchObject({ code: 0, stderr: '' });
    expect(completion.names.map(({ name }) => name)).toContain(JSON.parse(send.stdout).id);
    expect(listen).toMatchObject({ code: 2, stderr: expect.stringContaining('requires --public-url') });
    expect(listen.stderr).not.toContain('belongs to another user');
  });

  it('gives no key to a server that is named, although its server.json names the same one', async () => {
    writeFileSync(join(attackersDir(), 'server.json'), serverFile((await bystander()).pid));
    const options = { env: { SVC_DATA_DIR: attackersDir() } };

    const list = await machine.victim.svc(['emails', 'list', '--base-url', impostor.baseUrl], options);
    expect(list).toMatchObject({ code: 2, stderr: expect.stringContaining(`No API key for ${impostor.baseUrl}`) });
    expect(impostor.received).toEqual([]);

    const whoami = await machine.victim.svc(['whoami', '--json', '--base-url', impostor.baseUrl], {
      env: { ...options.env, ...KEY },
    });
    expect(JSON.parse(whoami.stdout)).toMatchObject({ kind: 'remote', base_url: impostor.baseUrl });
  });

  it('does not keep a server in memory from running, which leaves no files in it', async () => {
    const server = await machine.victim.startDev(['--in-memory'], { env: { SVC_DATA_DIR: attackersDir() } });
    running.servers.push(server);

    expect(server.ready.data_dir).toBeNull();
    for (const name of ['server.json', 'server.lock']) expect(existsSync(join(attackersDir(), name)), name).toBe(false);
  });

  it('is not used for completion', async () => {
    await machine.attacker.svc([...SEND, '--data-dir', attackersDir()]);
    // svc has removed the permissions of other users again.
    chmodSync(join(attackersDir(), 'mail.db'), 0o666);

    const { stdout } = await machine.victim.svc(
      ['completion-values', '--', 'emails', 'get', '--data-dir', attackersDir(), ''],
      below(),
    );

    expect(stdout).not.toContain('msg_');
  });

  it('is used with a warning when it is named and owned by root', async () => {
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
  it('is used by svc dev with one warning, on stderr only', async () => {
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
