import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DevServer, startDev, temporaryDirectory } from '../support/cli/binary.js';
import { skippedWithout } from '../support/cli/tools.js';
import { type Receiver, startReceiver } from '../support/servers/receiver.js';
import { data, request } from '../support/servers/server-calls.js';
import { integrityOf } from './integrity.js';
import { eventsUntil } from './watch.js';

/** Tests a machine whose clock is set back by a day, with libfaketime. */

const skipped = skippedWithout('faketime');
const LIBRARY = '/usr/$LIB/faketime/libfaketimeMT.so.1';
const DAY_MS = 86_400_000;

describe.skipIf(skipped)(`a clock that is set back by a day${skipped}`, () => {
  let folder: ReturnType<typeof temporaryDirectory>;
  let receiver: Receiver;
  let server: DevServer | undefined;

  beforeEach(async () => {
    folder = temporaryDirectory();
    // Refuses the first request, so that a retry is due after the clock was set back.
    receiver = await startReceiver((response, _, index) => response.writeHead(index === 0 ? 500 : 200).end());
    setClock('+0d');
  });
  afterEach(async () => {
    await server?.stop('SIGKILL');
    await receiver.close();
    folder.remove();
  });

  const setClock = (offset: string) => writeFileSync(join(folder.path, 'clock'), offset);
  const start = async () => {
    server = await startDev(['--data-dir', join(folder.path, 'data'), '--retry-schedule', '1s,1s,1s'], {
      env: {
        LD_PRELOAD: LIBRARY,
        FAKETIME_TIMESTAMP_FILE: join(folder.path, 'clock'),
        FAKETIME_NO_CACHE: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      },
    });
    return server;
  };
  const post = (path: string, body: object) =>
    data(server!.ready, path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const send = (subject: string) =>
    post('/v1/emails', { from: 'shop@example.test', to: ['ada@example.test'], subject, html: 'x' });

  it('delays no retry and no new email, keeps the order, and is announced', async () => {
    const { ready, stop, stderr } = await start();
    await post('/v1/webhooks', { url: receiver.url, events: ['email.delivered'], secret: 'whsec_clock' });
    const first = await send('before');
    await receiver.until(1);

    setClock('-1d');
    const second = await send('after');
    await receiver.until(3);

    await eventsUntil(
      ready,
      'email.delivered',
      new Map([
        [first.id, 1],
        [second.id, 1],
      ]),
    );
    const { emails } = await data(ready, '/v1/emails');
    expect(emails.map(({ subject }: { subject: string }) => subject)).toEqual(['after', 'before']);
    const [after, before] = emails.map(({ created_at }: { created_at: string }) => Date.parse(created_at));
    expect(after).toBeGreaterThanOrEqual(before);
    expect(await stop()).toBe(0);
    expect(await stderr).toMatch(
      /^The clock of this machine was set back by 1d\. The server’s time continues; restart/m,
    );
    expect(integrityOf(join(folder.path, 'data'))).toBe('ok');
  });

  it('that a restarted server uses serves new emails, and what was due when the clock is right again', async () => {
    await start();
    await send('before');
    await server!.stop();
    setClock('-1d');

    const { ready, stop } = await start();
    const { id } = await send('after');
    await eventsUntil(ready, 'email.delivered', new Map([[id, 1]]));
    const { emails } = await data(ready, '/v1/emails');
    expect(emails).toHaveLength(2);
    const [after, before] = ['after', 'before'].map((wanted) =>
      Date.parse(emails.find(({ subject }: { subject: string }) => subject === wanted).created_at),
    );
    expect(before! - after!).toBeGreaterThan(DAY_MS / 2);

    setClock('+0d');
    const last = await send('right again');
    await eventsUntil(ready, 'email.delivered', new Map([[last.id, 1]]));
    expect((await request(ready, `/v1/emails/${last.id}`)).status).toBe(200);
    expect(await stop()).toBe(0);
    expect(integrityOf(join(folder.path, 'data'))).toBe('ok');
  });
});
