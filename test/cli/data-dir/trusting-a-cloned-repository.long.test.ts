import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runTool, skippedWithout } from '../../support/cli/tools.js';
import {
  bystander,
  emailsOf,
  impostor,
  KEY,
  lines,
  machine,
  prepareMachine,
  SEND,
  serverFile,
} from '../../support/cli/trust.js';

/**
 * Tests that svc does not use a data directory that comes with a cloned repository: it decides where email and keys go.
 */

prepareMachine();

const skipped = skippedWithout('git');

describe.skipIf(skipped)(`a cloned repository that carries .svc${skipped}`, () => {
  let clone: string;

  async function cloneWith(umask: string, content: string): Promise<void> {
    const origin = join(machine.path, 'origin');
    mkdirSync(join(origin, '.svc'), { recursive: true });
    writeFileSync(join(origin, '.svc/server.json'), content);
    clone = join(machine.path, 'clone');
    await cloneOf(origin, umask);
  }

  /** Commits everything in a directory, and clones it as the victim. */
  async function cloneOf(origin: string, umask: string): Promise<void> {
    const { path, victim } = machine;
    const env = { PATH: process.env.PATH ?? '', HOME: path };
    const git = (...args: string[]) => runTool('git', args, '', { cwd: origin, env });
    await git('init', '--quiet');
    await git('add', '--force', '.svc');
    await git('-c', 'user.name=x', '-c', 'user.email=x@example.test', 'commit', '--quiet', '--message=x');
    await runTool('sh', ['-c', `umask ${umask}; git clone --quiet "$0" "$1"`, origin, clone], '', { env });
    victim.give(clone);
  }

  it('is not used, although its mode is that of a directory of svc: its server gets no key and no email', async () => {
    await cloneWith('077', serverFile((await bystander()).pid));
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
    expect(environment).toMatchObject({ code: 5, stdout: 'false\n' });
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
      fix: expect.stringContaining('--trust-data-dir'),
    });
    expect(impostor.received).toEqual([]);
  });

  it('does not make svc empty another data directory instead', async () => {
    await cloneWith('022', serverFile((await bystander()).pid));
    await machine.victim.svc(SEND);

    const reset = await machine.victim.svc(['dev', 'reset', '--yes'], { cwd: clone });

    expect(reset).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing was changed') });
    expect(await emailsOf([], { cwd: clone })).toEqual(['secret']);
    expect(impostor.received).toEqual([]);
  });

  it('is not used when it is a link to the directory of another project', async () => {
    const { path, victim } = machine;
    const project = join(victim.home, 'project');
    mkdirSync(project);
    victim.give(project);
    expect(await victim.svc([...SEND, '--data-dir', join(project, '.svc')])).toMatchObject({ code: 0 });
    const origin = join(path, 'origin');
    mkdirSync(origin);
    symlinkSync('../project/.svc', join(origin, '.svc'));
    clone = join(victim.home, 'clone');
    await cloneOf(origin, '077');

    const list = await victim.svc(['emails', 'list', '--json'], { cwd: clone });

    expect(JSON.parse(list.stdout).emails).toEqual([]);
    expect(lines(list)).toEqual([expect.stringContaining(`${join(clone, '.svc')} is not used: it is a symbolic link`)]);
    expect(await emailsOf(['--data-dir', join(project, '.svc')])).toEqual(['secret']);
    // A directory that is named may be a link.
    expect(await emailsOf(['--data-dir', '.svc'], { cwd: clone })).toEqual(['secret']);
  });
});
