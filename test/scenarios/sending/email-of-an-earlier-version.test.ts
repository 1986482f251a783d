import { join } from 'node:path';
import { simpleParser } from 'mailparser';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/cli/binary.js';
import { rawMessage } from '../../support/mail/delivered.js';
import { startApp } from '../../support/servers/app.js';
import { edit } from '../../support/storage/damage.js';

/** Addresses that an earlier version accepted and this one refuses, with the name and address that they have. */
const ACCEPTED: [stored: string, name: string, address: string][] = [
  ['Ada <Ada@my_host.test>', 'Ada', 'Ada@my_host.test'],
  [' ada@x.test ', '', 'ada@x.test'],
  ['"Doe, Ada" < ada@x.test >', 'Doe, Ada', 'ada@x.test'],
];

it.each(ACCEPTED)('is sent and composed although %j is refused now', async (stored, name, address) => {
  const directory = temporaryDirectory();
  const file = join(directory.path, 'mail.db');
  const app = await startApp({ storage: { file } });
  const { id } = (
    await app.call('POST', '/v1/emails', {
      to: 'a@x.test',
      from: 'b@x.test',
      reply_to: 'c@x.test',
      subject: 's',
      html: '<a href="https://x.test/">x</a>',
      scheduled_at: new Date(app.clock.now() + 60_000).toISOString(),
    })
  ).json.data;
  edit(
    file,
    `UPDATE emails SET sender = '${stored}', recipients = '${stored}', reply_to = '${stored}';
     UPDATE recipients SET address = '${stored}', mailbox = '${address.toLowerCase()}';`,
  );
  await app.call('POST', '/_svc/clock/advance', { by: '2m' });
  for (let click = 0; click < 2; click++) await app.call('POST', `/_svc/emails/${id}/simulate`, { outcome: 'clicked' });

  const { events } = (await app.call('GET', `/_svc/emails/${id}`)).json.data;
  expect(events.map(({ type, data }: { type: string; data: { to: string } }) => [type, data.to])).toEqual(
    ['sent', 'delivered', 'opened', 'clicked', 'clicked'].map((type) => [`email.${type}`, address]),
  );
  const { from, to, replyTo } = await simpleParser(await rawMessage(app, id));
  for (const field of [from, to, replyTo].flat()) expect(field?.value).toEqual([{ name, address }]);
  await app.closeClean();
  directory.remove();
});
