import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { lines, machine, prepareMachine } from '../../support/cli/trust.js';

/** Tests files of the wrong kind, where svc looks for a data directory or for files in one. */

prepareMachine();

const MESSAGES: Record<string, string> = {
  'server.json': 'cannot be read',
  'credentials.json': 'does not contain valid credentials of svc',
};

describe('a plain file named .svc in a project', () => {
  it('is not used, with a warning that gives the reason', async () => {
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
    'does not hang on a pipe in place of %s',
    async (name) => {
      execFileSync('mkfifo', [join(dataDir(), name)]);
      machine.victim.give(join(machine.victim.home, 'project'));

      const { code, stderr } = await run(['emails', 'list']);

      expect(code).toBe(name === 'made-by-svc' ? 0 : 1);
      if (name !== 'made-by-svc') expect(stderr).toContain(`${join(dataDir(), name)} ${MESSAGES[name]}`);
    },
  );

  it.each(['server.json', 'credentials.json'])('does not read a large %s', async (name) => {
    // Valid, apart from the trailing spaces.
    writeFileSync(
      join(dataDir(), name),
      JSON.stringify({ api_key: 'svc_test_x', webhook_secret: 'whsec_x' }).padEnd(64 * 1024 + 1),
    );
    machine.victim.give(join(machine.victim.home, 'project'));

    const { code, stderr } = await run(['emails', 'list']);

    expect(code).toBe(1);
    expect(stderr).toContain(`${join(dataDir(), name)} ${MESSAGES[name]}`);
  });
});
