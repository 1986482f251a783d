import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevServer, startDev } from '../support/cli/binary.js';
import { deliver, openSmtp } from '../support/mail/smtp-session.js';
import { bytes, countEmails, data } from '../support/servers/server-calls.js';

const MESSAGE = 'From: app@example.test\r\nTo: ada@example.test\r\nSubject: Hi\r\n\r\nHello\r\n';

describe('speaking SMTP', () => {
  let dev: DevServer;

  beforeAll(async () => {
    dev = await startDev(['--in-memory']);
  });

  afterAll(async () => {
    expect(await dev.stop()).toBe(0);
  });

  it('greets a client that sends nothing', async () => {
    const session = await openSmtp(dev.ready.smtp);

    expect(await session.reply()).toMatch(/^220 \S+ ESMTP svc$/);
    session.socket.end();
  });

  it('answers a client that sends commands before the greeting, instead of refusing it', async () => {
    const session = await openSmtp(dev.ready.smtp);

    session.write('EHLO early.example.test\r\nQUIT\r\n');

    expect(await session.reply()).toMatch(/^220 /);
    expect(await session.reply()).toMatch(/^250-/);
    expect(await session.reply()).toMatch(/^221 /);
  });

  it('offers the extensions that modern clients use, but no STARTTLS, whose certificate they would have to trust', async () => {
    const session = await openSmtp(dev.ready.smtp);
    await session.reply();

    const offered = (await session.say('EHLO client.example.test'))?.split('\n').map((line) => line.slice(4));

    expect(offered).toEqual(
      expect.arrayContaining(['PIPELINING', '8BITMIME', 'SMTPUTF8', 'ENHANCEDSTATUSCODES', 'SIZE 41943040']),
    );
    expect(offered).not.toContain('STARTTLS');
    session.socket.end();
  });

  it('does not look up the name of the client', async () => {
    const session = await openSmtp(dev.ready.smtp);
    await session.reply();

    // A server that looked it up would greet with the name, which is localhost on every machine.
    expect(await session.say('EHLO client.example.test')).toMatch(/\[(127\.0\.0\.1|::1)\]/);
    session.socket.end();
  });

  it('accepts pipelined commands and keeps each message of a connection', async () => {
    const before = await countEmails(dev.ready);
    const session = await openSmtp(dev.ready.smtp);
    await session.reply();
    await session.say('EHLO client.example.test');

    const envelope =
      'MAIL FROM:<app@example.test>\r\nRCPT TO:<ada@example.test>\r\nRCPT TO:<bob@example.test>\r\nDATA\r\n';
    for (const subject of ['first', 'second']) {
      session.write(envelope);
      for (const code of ['250', '250', '250', '354']) expect(await session.reply()).toMatch(`${code} `);
      session.write(MESSAGE.replace('Hi', subject));
      expect(await session.say('.')).toMatch(/^250 2\.\d\.0 OK: queued as msg_/);
    }
    session.socket.end();

    const { emails, pagination } = await data(dev.ready, '/v1/emails?limit=2');
    expect(pagination.total).toBe(before + 2);
    expect(emails.map(({ subject }: { subject: string }) => subject)).toEqual(['second', 'first']);
  });

  it('accepts a bounce message, with an empty sender', async () => {
    const reply = await deliver(dev.ready.smtp, MESSAGE, { from: '' });

    const id = /queued as (msg_\w+)/.exec(reply ?? '')?.[1];
    expect((await data(dev.ready, `/_svc/emails/${id}`)).envelope).toMatchObject({ mail_from: '' });
  });

  it.each([
    ['other headers but no From', 'To: ada@example.test\r\nSubject: Hi\r\n\r\nHello\r\n'],
    ['an empty From', 'From:\r\nSubject: Hi\r\n\r\nHello\r\n'],
    ['no headers at all', 'Hello\r\n'],
  ])('uses the sender of the envelope for a message with %s', async (_, message) => {
    const reply = await deliver(dev.ready.smtp, message, { from: 'bounces@example.test' });

    const id = /queued as (msg_\w+)/.exec(reply ?? '')?.[1];
    expect(await data(dev.ready, `/v1/emails/${id}`)).toMatchObject({ from: 'bounces@example.test' });
    const found = await data(dev.ready, '/v1/emails?from=bounces@example.test&limit=1');
    expect(found.emails).toMatchObject([{ id }]);
  });

  it('refuses a message that is announced as too large, before it is sent', async () => {
    const session = await openSmtp(dev.ready.smtp);
    await session.reply();
    await session.say('EHLO client.example.test');

    expect(await session.say('MAIL FROM:<app@example.test> SIZE=41943041')).toMatch(/^552 5\.3\.4 /);
    session.socket.end();
  });

  it('refuses invalid addresses, but accepts a domain of one label', async () => {
    const session = await openSmtp(dev.ready.smtp);
    await session.reply();
    await session.say('EHLO client.example.test');
    for (const address of ['app@b..test', 'app@[127.0.0]', `${'a'.repeat(65)}@example.test`]) {
      expect(await session.say(`MAIL FROM:<${address}>`)).toMatch(/^5\d\d /);
    }
    expect(await session.say('MAIL FROM:<app@example.123>')).toBe(
      '553 5.1.7 invalid address: must have a valid domain, such as example.com',
    );
    expect(await session.say('MAIL FROM:<root@localhost>')).toMatch(/^250 /);
    expect(await session.say('RCPT TO:<ada@example.123>')).toBe(
      '553 5.1.3 invalid address: must have a valid domain, such as example.com',
    );
    for (const address of ['ada@localhost', 'postmaster']) {
      expect(await session.say(`RCPT TO:<${address}>`)).toMatch(/^250 /);
    }
    session.socket.end();
  });

  it('refuses a message that turns out too large with 552, stores nothing, and continues', async () => {
    const before = await countEmails(dev.ready);
    const session = await openSmtp(dev.ready.smtp);
    await session.reply();
    await session.say('EHLO client.example.test');
    await session.say('MAIL FROM:<app@example.test>');
    await session.say('RCPT TO:<ada@example.test>');
    await session.say('DATA');

    session.write(MESSAGE);
    session.write(Buffer.alloc(41_943_040, `${'x'.repeat(76)}\r\n`));
    expect(await session.say('\r\n.')).toMatch(/^552 /);

    expect(await countEmails(dev.ready)).toBe(before);
    expect(await session.say('RSET')).toMatch(/^250 /);
    session.socket.end();
  });

  it('stores nothing of a message whose connection ends in the middle', async () => {
    const before = await countEmails(dev.ready);
    const session = await openSmtp(dev.ready.smtp);
    await session.reply();
    await session.say('EHLO client.example.test');
    await session.say('MAIL FROM:<app@example.test>');
    await session.say('RCPT TO:<ada@example.test>');
    await session.say('DATA');

    session.write(MESSAGE);
    session.socket.end();
    // The server ends its half once it has processed ours.
    expect(await session.reply()).toBeUndefined();

    await deliver(dev.ready.smtp, MESSAGE);
    expect(await countEmails(dev.ready)).toBe(before + 1);
  });

  it('accepts any name and password, but no unknown API key', async () => {
    const plain = (password: string) => Buffer.from(`\0app\0${password}`).toString('base64');
    const login = async (password: string) => {
      const session = await openSmtp(dev.ready.smtp);
      await session.reply();
      await session.say('EHLO client.example.test');
      const reply = await session.say(`AUTH PLAIN ${plain(password)}`);
      session.socket.end();
      return reply;
    };

    expect(await login('whatever the settings hold')).toMatch(/^235 /);
    expect(await login(dev.ready.api_key)).toMatch(/^235 /);
    expect(await login('svc_test_nobody')).toMatch(/^535 /);
  });

  it('reports each recipient separately, including those that no header names', async () => {
    const reply = await deliver(dev.ready.smtp, MESSAGE, { to: ['ada@example.test', 'hidden@example.test'] });

    const id = /queued as (msg_\w+)/.exec(reply ?? '')?.[1];
    const { recipients } = await data(dev.ready, `/_svc/emails/${id}`);
    expect(recipients).toMatchObject([
      { kind: 'to', mailbox: 'ada@example.test' },
      { kind: 'bcc', mailbox: 'hidden@example.test' },
    ]);
    for await (const line of { [Symbol.asyncIterator]: () => dev.lines }) {
      const event = JSON.parse(line);
      if (event.type === 'email.delivered' && event.data.email_id === id && event.data.to === 'hidden@example.test')
        break;
    }
    expect((await data(dev.ready, '/v1/emails?to=HIDDEN@example.test')).emails).toMatchObject([{ id }]);
  });

  it('keeps dots, trailing spaces and bytes of no encoding unchanged', async () => {
    const sent = Buffer.from(
      'Subject: bytes\r\nX-Trailing: spaces   \r\n\r\n.leading\r\n..two\r\n...\r\nspaces  \r\n\ttab\r\n\xff\xfe\x80\x01\r\n\r\n\r\n',
      'latin1',
    );

    const reply = await deliver(dev.ready.smtp, sent);

    const id = /queued as (msg_\w+)/.exec(reply ?? '')?.[1];
    expect(await bytes(dev.ready, `/_svc/emails/${id}/raw`)).toEqual(sent);
  });

  it('keeps bare line feeds and carriage returns', async () => {
    const sent = 'Subject: bare\r\n\r\none\ntwo\rthree\n.\nfour\r\n';

    const reply = await deliver(dev.ready.smtp, sent);

    const id = /queued as (msg_\w+)/.exec(reply ?? '')?.[1];
    expect((await bytes(dev.ready, `/_svc/emails/${id}/raw`)).toString('latin1')).toBe(sent);
  });
});
