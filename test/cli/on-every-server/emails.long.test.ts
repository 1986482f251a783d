import { expect, it } from 'vitest';
import { onEveryServer } from '../../support/servers/service.js';

onEveryServer('emails', ({ run, data }) => {
  const to = ['emails', 'send', '--to', 'ada@example.test', '--from', 'Shop <shop@example.test>'];
  const mail = [...to, '--subject', 'Grüße', '--html', '<p>hé</p>'];

  it('are sent and found', async () => {
    const { id, status } = await data([...mail, '--text', 'hé', '--tag', 'a', '--tag', 'b']);
    expect({ id, status }).toEqual({ id: expect.stringMatching(/^msg_/), status: expect.stringMatching(/sent/) });

    expect(await data(['emails', 'get', id])).toMatchObject({
      id,
      to: 'ada@example.test',
      from: 'Shop <shop@example.test>',
      subject: 'Grüße',
      text: 'hé',
      tags: ['a', 'b'],
    });
    expect((await data(['emails', 'list', '--tag', 'a', '--tag', 'b'])).emails).toMatchObject([{ id }]);
    expect((await data(['emails', 'list', '--to', 'nobody@example.test'])).emails).toEqual([]);
    expect((await data(['analytics'])).total.sent).toBeGreaterThan(0);
  });

  it('are scheduled and cancelled, but not twice', async () => {
    const { id, status } = await data([...mail, '--schedule', '2h']);
    expect(status).toBe('scheduled');

    expect(await data(['emails', 'cancel', id, '--yes'])).toEqual({ id, status: 'cancelled' });

    const { code, stderr } = await run(['emails', 'cancel', id, '--yes', '--json']);
    expect({ code, status: JSON.parse(stderr).error.status }).toEqual({ code: 1, status: 409 });

    const latest = (await data([...mail, '--schedule', '2h'])).id;
    expect(await data(['emails', 'cancel', 'latest', '--yes'])).toEqual({ id: latest, status: 'cancelled' });
  });
});
