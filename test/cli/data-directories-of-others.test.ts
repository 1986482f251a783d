import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { emailsOf, lines, machine, prepareMachine, SEND } from '../support/trust.js';
import { isRoot } from '../support/users.js';

/** A data directory that others own, or can write to. */

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
