import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevServer, startDev } from '../support/cli/binary.js';
import { deliver } from '../support/mail/smtp-session.js';
import { bytes, data, parsed } from '../support/servers/server-calls.js';

/** Tests that a message that no parser can read is kept unchanged, listed and marked; a readable one is not marked. */

const HEADER = 'From: app@example.test\r\nTo: ada@example.test\r\nSubject: Hi\r\n';
const part = 'Content-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64\r\n\r\naGk=\r\n';

const unparsable: Record<string, string | Buffer> = {
  'text without a header': 'hello there\r\nthis is no header\r\n',
  'bytes that are no text': Buffer.concat([
    Buffer.from(Array.from({ length: 5_000 }, (_, index) => ((index * 7_919) % 251) | 0x80)),
    Buffer.from('\r\n'),
  ]),
  'nothing at all': '',
};

const odd: Record<string, string | Buffer> = {
  'multiparts nested 5,000 deep': `${HEADER}${Array.from({ length: 5_000 }, (_, depth) => `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n`).join('')}\r\nhi\r\n`,
  '10,000 parts': `${HEADER}Content-Type: multipart/mixed; boundary=b\r\n\r\n${`--b\r\n${part}`.repeat(10_000)}--b--\r\n`,
  'a header of 3 MB': `${HEADER}X-Long:${' long'.repeat(600_000)}\r\n\r\nhi\r\n`,
  '200,000 header fields': `${HEADER}${'X-Many: yes\r\n'.repeat(200_000)}\r\nhi\r\n`,
  'an unknown charset and encoding': Buffer.from(
    `${HEADER}Content-Type: text/plain; charset=nope-99\r\nContent-Transfer-Encoding: wat\r\n\r\n\xff\xfehi\r\n`,
    'latin1',
  ),
  'base64 that is none': `${HEADER}Content-Transfer-Encoding: base64\r\n\r\n!!!! ####\r\n`,
  'a multipart without a boundary': `${HEADER}Content-Type: multipart/mixed\r\n\r\n--x\r\n\r\nhi\r\n`,
  'a multipart that never ends': `${HEADER}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n${part}`,
  'a date that is none': `${HEADER}Date: the day after\r\n\r\nhi\r\n`,
  '100 levels of multiparts': `${HEADER}${Array.from({ length: 100 }, (_, depth) => `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n`).join('')}\r\nhi\r\n`,
};

describe('a message that is hard to read', () => {
  let dev: DevServer;

  beforeAll(async () => {
    dev = await startDev(['--in-memory']);
  });

  afterAll(async () => {
    expect(await dev.stop()).toBe(0);
  });

  it.each(Object.entries(unparsable))('is kept, listed and marked: %s', async (_, message) => {
    const id = await send(message);

    const { parse_error, envelope, recipients } = await parsed(dev.ready, id);
    expect(parse_error).toMatch(/\w/);
    expect(envelope).toMatchObject({ mail_from: 'app@example.test', rcpt_to: ['ada@example.test'] });
    expect(recipients).toMatchObject([{ mailbox: 'ada@example.test' }]);
    expect((await data(dev.ready, '/v1/emails?to=ada@example.test&limit=1')).emails).toMatchObject([
      { id, from: 'app@example.test', to: 'ada@example.test' },
    ]);
    expect((await bytes(dev.ready, `/_svc/emails/${id}/raw`)).equals(Buffer.from(message))).toBe(true);
  });

  it.each(Object.entries(odd))('is read as far as possible: %s', async (_, message) => {
    const id = await send(message);

    expect(await parsed(dev.ready, id)).toMatchObject({ parse_error: null, subject: 'Hi' });
    expect((await bytes(dev.ready, `/_svc/emails/${id}/raw`)).equals(Buffer.from(message))).toBe(true);
  });

  it('has its events like any other', async () => {
    const id = await send('no header\r\n');

    for await (const line of { [Symbol.asyncIterator]: () => dev.lines }) {
      const event = JSON.parse(line);
      if (event.type === 'email.delivered' && event.data.email_id === id) break;
    }
    const { events, status } = await data(dev.ready, `/_svc/emails/${id}`);
    expect(status).toBe('delivered');
    expect(events.map(({ type }: { type: string }) => type)).toEqual(['email.sent', 'email.delivered']);
  });

  async function send(message: string | Buffer): Promise<string> {
    const reply = await deliver(dev.ready.smtp, message);
    const id = /^250 .*queued as (msg_\w+)/.exec(reply ?? '')?.[1];
    if (!id) throw new Error(`refused: ${reply}`);
    return id;
  }
});
