import { describe, expect, it } from 'vitest';
import { svc } from '../../support/cli/binary.js';
import { folderOfEachTest } from '../../support/each-test.js';
import { brokenSession, deliver } from '../../support/mail/smtp-session.js';

describe('svc smtp sessions', () => {
  const folder = folderOfEachTest();
  const run = (...args: string[]) => svc(['smtp', 'sessions', ...args], { env: { SVC_DATA_DIR: folder.path } });

  it('shows the newest session, or the newest failed one', async () => {
    const { ready } = await folder.startServer();
    const none = await run('latest', '--failed');
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('No failed SMTP sessions.') });
    await brokenSession(ready.smtp);
    await deliver(ready.smtp, 'Subject: Hi\r\n\r\nHello\r\n');

    const newest = (await run('latest')).stdout;
    const failed = (await run('latest', '--failed')).stdout;

    expect(newest).toMatch(/accepted .*<ada@example\.test>/);
    expect(failed).toMatch(/broken .*<b@x\.test>/);
    expect((await run()).stdout).toMatch(/MESSAGES/);
  });

  it.each([
    [['latest', '--follow'], '--follow cannot be combined with an ID.'],
    [['latest', '--limit', '5'], '--limit cannot be combined with an ID.'],
    [['smtp_01hzz', '--failed'], '--failed cannot be combined with an ID.'],
  ])('refuses the flags of lists with an ID: %s', async (args, message) => {
    const { code, stderr } = await run(...args);

    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });
});
