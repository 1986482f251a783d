import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { skippedWithout } from '../../support/cli/tools.js';
import { python, rawMessage } from '../../support/mail/delivered.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

interface Verdict {
  valid: boolean;
  reason: string;
  tags: Record<string, string>;
}

const EMAIL = {
  to: ['Ada <ada@example.test>', 'bob@example.test'],
  cc: 'Zoë <zoe@example.test>',
  from: 'Shop <shop@mail.shop.test>',
  reply_to: 'help@shop.test',
  subject: 'Ihre Bestellung – ein langer Betreff, der über mehrere Zeilen geht, damit er gefaltet werden muss',
  html: '<p>Hi  <a href="https://x.test/">x</a> </p>\n\n \n',
  text: 'Hi  \n\n\n',
  attachments: [{ filename: 'a.txt', contentType: 'text/plain', content: 'YQo=' }],
};

/** dkim_verify.py calls it. */
const skipped = skippedWithout('openssl');

describe.skipIf(skipped)(`a message from an added domain${skipped}`, () => {
  let app: TestApp;
  let record: string;
  let selectorName: string;
  let id: string;
  let message: string;

  beforeAll(async () => {
    app = await startApp();
    app.clock.freeze();
    const created = await app.call('POST', '/v1/domains', { domain: 'mail.shop.test' });
    const dkim = created.json.data.dns_records.find(({ purpose }: { purpose: string }) => purpose === 'dkim');
    record = dkim.value;
    selectorName = dkim.name;
    id = (await app.call('POST', '/v1/emails', EMAIL)).json.data.id;
    message = (await rawMessage(app, id)).toString('latin1');
  });

  afterAll(() => app.closeClean());

  const verify = (text: string) => python<Verdict>('dkim_verify.py', Buffer.from(text, 'latin1'), [record]);

  it('is signed so that openssl accepts it with the key of the DNS record', async () => {
    const { valid, reason, tags } = await verify(message);
    expect({ valid, reason }).toEqual({ valid: true, reason: '' });
    expect(tags).toMatchObject({ d: 'mail.shop.test', t: String(Math.floor(app.clock.now() / 1000)) });
    expect(`${tags.s}._domainkey.${tags.d}`).toBe(selectorName);
    const signed = (tags.h ?? '').split(':');
    for (const name of [
      'From',
      'To',
      'Cc',
      'Subject',
      'Date',
      'Message-ID',
      'MIME-Version',
      'Content-Type',
      'Reply-To',
    ]) {
      expect(signed.filter((each) => each === name)).toHaveLength(2);
    }
  });

  it('has the same signature every time, and one for each recipient', async () => {
    app.clock.set(app.clock.now() + 3_600_000);
    expect((await rawMessage(app, id)).toString('latin1')).toBe(message);
    const copy = (await rawMessage(app, id, 'zoe@example.test')).toString('latin1');
    expect(copy).not.toBe(message);
    expect((await verify(copy)).valid).toBe(true);
    for (const line of message.split('\r\n')) expect(line.length).toBeLessThanOrEqual(998);
  });

  it.each<[string, (text: string) => string]>([
    ['the sender', (text) => text.replace('From: Shop <', 'From: Shqp <')],
    ['a recipient', (text) => text.replace('bob@example.test', 'eve@example.test')],
    ['a Cc', (text) => text.replace('zoe@example.test', 'eve@example.test')],
    ['the subject', (text) => text.replace('Subject: =', 'Subject: x=')],
    ['the date', (text) => text.replace(/^Date: \w+/m, 'Date: Xyz')],
    ['the message id', (text) => text.replace('Message-ID: <', 'Message-ID: <x')],
    ['the reply address', (text) => text.replace('help@shop.test', 'help@evil.test')],
    ['the signing time', (text) => text.replace(/ t=\d/, ' t=9')],
    ['the body', (text) => text.replace('YQo=', 'Ygo=')],
    ['the end of the body', (text) => `${text}more\r\n`],
    ['a second From', (text) => text.replace('\r\nTo:', '\r\nFrom: eve@evil.test\r\nTo:')],
    ['a second Subject above', (text) => `Subject: You won\r\n${text}`],
  ])('does not verify when %s was tampered with', async (_, tamper) => {
    const tampered = tamper(message);
    expect(tampered).not.toBe(message);
    expect((await verify(tampered)).valid).toBe(false);
  });

  it('verifies after the changes to whitespace and folding that a relay may make', async () => {
    const relayed = message
      .replace(/^To: /m, 'To:\t ')
      .replace('\r\nCc: ', '\r\ncc:\r\n ')
      .replace(/\r\n$/, '  \r\n\r\n\r\n');
    expect(relayed).not.toBe(message);
    expect(await verify(relayed)).toMatchObject({ valid: true });
  });

  it('does not verify with the key of another domain', async () => {
    const other = await app.call('POST', '/v1/domains', { domain: 'other.test' });
    const [, , dkim] = other.json.data.dns_records;
    const verdict = await python<Verdict>('dkim_verify.py', Buffer.from(message, 'latin1'), [dkim.value]);
    expect(verdict).toMatchObject({ valid: false, reason: 'signature' });
  });

  it('is not signed when its own domain has no key, even if a parent or a sibling has one', async () => {
    for (const from of ['shop@shop.test', 'shop@a.mail.shop.test', 'shop@example.test']) {
      const sent = await app.call('POST', '/v1/emails', { ...EMAIL, from });
      expect((await rawMessage(app, sent.json.data.id)).toString()).not.toMatch(/dkim-signature/i);
    }
  });

  it('is signed by an international domain in its ASCII form', async () => {
    const created = await app.call('POST', '/v1/domains', { domain: 'xn--bcher-kva.test' });
    const [, , dkim] = created.json.data.dns_records;
    const sent = await app.call('POST', '/v1/emails', { ...EMAIL, from: 'shop@bücher.test' });
    const verdict = await python<Verdict>('dkim_verify.py', await rawMessage(app, sent.json.data.id), [dkim.value]);
    expect(verdict).toMatchObject({ valid: true, tags: { d: 'xn--bcher-kva.test' } });
  });
});
