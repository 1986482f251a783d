import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/cli/binary.js';
import {
  deliveredHtml,
  eventsOf,
  fetchContent,
  fetchFromMail,
  linksIn,
  pixelUrl,
  python,
} from '../../support/mail/delivered.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { send } from '../../support/simulation.js';
import { edit, quarantineOf } from '../../support/storage/damage.js';

const [ADA, BOB, EVE] = ['ada@example.test', 'bob@example.test', 'eve@example.test'];
const HTML = '<p>Hi <a href="https://shop.test/order">your order</a></p>';
const FILES = ['first', 'second', 'third'];

/**
 * A damaged recipient or attachment is quarantined alone: the others keep the positions that tokens and requests refer
 * to.
 */
describe('an email with a damaged row', () => {
  let app: TestApp;
  let directory: ReturnType<typeof temporaryDirectory>;
  let file: string;
  let id: string;

  beforeEach(async () => {
    directory = temporaryDirectory();
    file = join(directory.path, 'mail.db');
    app = await startApp({ storage: { file } });
    const attachments = FILES.map((name) => ({
      filename: `${name}.txt`,
      contentType: 'text/plain',
      content: Buffer.from(name).toString('base64'),
    }));
    id = await send(app, [ADA, BOB, EVE], { html: HTML, attachments });
    await app.drain();
  });
  afterEach(async () => {
    await app.close();
    directory.remove();
  });

  const inspect = async () => (await app.call('GET', `/_svc/emails/${id}`)).json.data;
  const damageAttachment = (position: number) =>
    edit(file, `UPDATE attachments SET disposition = 'x' WHERE position = ${position}`);
  const damageRecipient = (mailbox: string) =>
    edit(file, `UPDATE recipients SET status = 'x' WHERE mailbox = '${mailbox}'`);

  it('returns each other attachment under its own index', async () => {
    damageAttachment(0);

    const { attachments } = await inspect();

    expect(attachments).toMatchObject([
      { index: 1, filename: 'second.txt' },
      { index: 2, filename: 'third.txt' },
    ]);
    for (const { index, filename } of attachments) {
      const { status, body } = await fetchContent(app, `/emails/${id}/attachments/${index}`);
      expect({ status, filename: `${body}.txt` }).toEqual({ status: 200, filename });
    }
    expect((await fetchContent(app, `/emails/${id}/attachments/0`)).status).toBe(404);
    expect(quarantineOf(file)).toMatchObject([{ table_name: 'attachments' }]);
  });

  it('composes its message from the other attachments', async () => {
    damageAttachment(1);

    const { status, body } = await fetchContent(app, `/emails/${id}/raw`);

    expect(status).toBe(200);
    const { attachments } = await python<{ attachments: { filename: string; hex: string }[] }>('read_message.py', body);
    expect(attachments.map(({ filename, hex }) => [filename, Buffer.from(hex, 'hex').toString()])).toEqual([
      ['first.txt', 'first'],
      ['third.txt', 'third'],
    ]);
  });

  it('composes its message without an attachment whose content is incomplete', async () => {
    edit(file, "UPDATE attachments SET content_key = 'gone', content = x'' WHERE position = 0");

    const { status, body } = await fetchContent(app, `/emails/${id}/raw`);

    expect(status).toBe(200);
    const { attachments } = await python<{ attachments: { filename: string }[] }>('read_message.py', body);
    expect(attachments.map(({ filename }) => filename)).toEqual(['second.txt', 'third.txt']);
  });

  it('credits tracking tokens issued before the damage to the same recipients', async () => {
    const ofAda = await deliveredHtml(app, id, ADA);
    const ofBob = await deliveredHtml(app, id, BOB);
    const ofEve = await deliveredHtml(app, id, EVE);
    damageRecipient(ADA);

    expect((await fetchFromMail(app, pixelUrl(ofBob))).status).toBe(200);
    expect((await fetchFromMail(app, linksIn(ofEve)[0] ?? '')).status).toBe(302);
    expect((await fetchFromMail(app, pixelUrl(ofAda))).status).toBe(404);

    expect(await eventsOf(app, id, 'email.opened')).toMatchObject([{ to: BOB }]);
    expect(await eventsOf(app, id, 'email.clicked')).toMatchObject([{ to: EVE }]);
  });

  it('gives each other recipient the same HTML as before the damage', async () => {
    const [ofBob, ofEve] = [await deliveredHtml(app, id, BOB), await deliveredHtml(app, id, EVE)];
    damageRecipient(ADA);

    expect(await deliveredHtml(app, id, BOB)).toBe(ofBob);
    expect(await deliveredHtml(app, id, EVE)).toBe(ofEve);
    // Without a name, the first recipient that is left.
    expect(await deliveredHtml(app, id)).toBe(ofBob);
  });
});
