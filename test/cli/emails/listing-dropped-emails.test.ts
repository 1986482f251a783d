import { afterAll, describe, expect, it } from 'vitest';
import { startDev, svc, temporaryDirectory } from '../../support/cli/binary.js';

const PAGE_SIZE = 100;

/** Tests how a list shows an email that was dropped, whose status is still `sent`. */

describe('an email to a suppressed address', () => {
  const folder = temporaryDirectory();
  afterAll(() => folder.remove());
  const run = (...args: string[]) => svc([...args, '--data-dir', folder.path]);
  const send = (to: string) => run('emails', 'send', '--to', to, '--subject', 'Hi', '--html', '<p>Hi</p>');

  it('is marked as dropped in the list, and keeps its status in JSON', async () => {
    await run('suppressions', 'add', 'eve@example.test');
    await send('ada@example.test');
    expect(await send('eve@example.test')).toMatchObject({ code: 0 });

    const { stdout } = await run('emails', 'list');
    const { emails } = JSON.parse((await run('emails', 'list', '--json')).stdout);

    expect(stdout).toMatch(/^\S+ +sent, dropped +.* eve@example\.test +Hi$/m);
    expect(stdout).toMatch(/^\S+ +(?:sent|delivered) +.* ada@example\.test +Hi$/m);
    expect(emails.map(({ to, status }: Record<string, string>) => [to, status])).toContainEqual([
      'eve@example.test',
      'sent',
    ]);
  });

  it('is marked in the results of a search, and no other email is', async () => {
    const { stdout } = await run('emails', 'list', '--search', 'subject:Hi');

    expect(stdout).toMatch(/^\S+ +sent, dropped +.* eve@example\.test +Hi$/m);
    expect(stdout).toMatch(/^\S+ +(?:sent|delivered) +.* ada@example\.test +Hi$/m);
  });

  it('is marked on a full page of them', async () => {
    const dev = await startDev(['--data-dir', folder.path]);
    const { base_url, api_key } = dev.ready;
    for (let number = 1; number <= PAGE_SIZE; number += 1) {
      const response = await fetch(`${base_url}/emails`, {
        method: 'POST',
        headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ to: 'eve@example.test', from: 'a@example.test', subject: 'Hi', html: 'Hi' }),
      });
      expect(response.status).toBe(201);
    }

    const { stdout } = await run('emails', 'list', '--limit', String(PAGE_SIZE));
    await dev.stop();

    expect(stdout.match(/sent, dropped/g)).toHaveLength(PAGE_SIZE);
  });
});
