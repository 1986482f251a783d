import { describe, expect, it } from 'vitest';
import { machine, prepareMachine, SEND } from '../../support/cli/trust.js';
import { isRoot } from '../../support/cli/users.js';

/** Tests a user without an account: containers often run programs as one, with few variables. */

prepareMachine();

describe.skipIf(!isRoot)('a user without an account', () => {
  it('runs commands without SHELL', async () => {
    const env = { SHELL: undefined };

    const send = await machine.victim.svc([...SEND, '--data-dir', '.svc'], { env });
    const list = await machine.victim.svc(['emails', 'list', '--json', '--data-dir', '.svc'], { env });

    expect(send).toMatchObject({ code: 0 });
    expect(JSON.parse(list.stdout).emails).toMatchObject([{ subject: 'secret' }]);
  });

  it('runs commands without HOME', async () => {
    const env = { HOME: undefined, SHELL: undefined, XDG_DATA_HOME: undefined };

    const send = await machine.victim.svc([...SEND, '--data-dir', '.svc'], { env });
    const completions = await machine.victim.svc(['completion-values', '--', 'emails', 'send', '--html-file', '~/'], {
      env,
    });
    const withoutDirectory = await machine.victim.svc(['emails', 'list'], { env, cwd: '/' });

    expect(send).toMatchObject({ code: 0 });
    expect(completions).toMatchObject({ code: 0, stderr: '' });
    expect(withoutDirectory).toMatchObject({ code: 1, stderr: expect.stringContaining('/.local/share') });
  });
});
