import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { python, rawMessage } from '../../support/mail/delivered.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

interface Read {
  defects: string[];
  headers: string[];
  from: [string, string][];
  to: [string, string][];
  cc: [string, string][];
  reply_to: [string, string][];
  /** Null when the header is missing. */
  subject: string | null;
  date: string;
  message_id: string;
  type: string;
  html: string | null;
  text: string | null;
  attachments: { filename: string; type: string; disposition: string; hex: string }[];
}

const UNTRACKED = { track_opens: false, track_clicks: false };
const SIMPLE = { to: 'ada@example.test', from: 'shop@example.test', subject: 'Hi', html: '<p>Hi</p>', ...UNTRACKED };

describe('the message composed from an email sent over REST', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp({ plan: 'none' });
    app.clock.freeze();
  });

  afterAll(() => app.closeClean());

  async function send(overrides: Record<string, unknown> = {}): Promise<string> {
    const sent = await app.call('POST', '/v1/emails', { ...SIMPLE, ...overrides });
    expect(sent.status, JSON.stringify(sent.json)).toBe(201);
    return sent.json.data.id;
  }

  const read = (message: Buffer) => python<Read>('read_message.py', message);

  it('is read without a defect by another parser, with the content that was sent', async () => {
    const attachments = [
      { filename: 'Rechnung März 2026 – Kopie.pdf', contentType: 'application/pdf', content: 'JVBERi0xLjcKAP8=' },
      { filename: 'a "quoted"; name.txt', contentType: 'text/plain; charset=utf-8', content: 'w6kKCmZyb20gLgo=' },
      { filename: `${'long-'.repeat(40)}.bin`, contentType: 'application/octet-stream', content: 'AA==' },
    ];
    const id = await send({
      to: ['Ada Lovelace <ada@example.test>', '"Doe, Jane" <jane@example.test>', '渡辺 <watanabe@example.test>'],
      cc: 'Zoë <zoe@example.test>',
      bcc: ['Eve <eve@secret.test>'],
      from: 'Müller & Söhne <shop@example.test>',
      reply_to: 'Hilfe – Team <help@example.test>',
      subject: 'Ihre Bestellung №7 – „Grüße“ 🎉',
      html: '<p>Grüße 🎉</p>\n.\n<p>From here</p>\r\n',
      text: 'Grüße 🎉\n.\nFrom here\n',
      tags: ['secret-tag'],
      attachments,
    });
    const message = await rawMessage(app, id);
    const seen = await read(message);

    expect(seen.defects).toEqual([]);
    expect(seen).toMatchObject({
      from: [['Müller & Söhne', 'shop@example.test']],
      to: [
        ['Ada Lovelace', 'ada@example.test'],
        ['Doe, Jane', 'jane@example.test'],
        ['渡辺', 'watanabe@example.test'],
      ],
      cc: [['Zoë', 'zoe@example.test']],
      reply_to: [['Hilfe – Team', 'help@example.test']],
      subject: 'Ihre Bestellung №7 – „Grüße“ 🎉',
      message_id: `<${id}@example.test>`,
      type: 'multipart/mixed',
    });
    expect(seen.html?.replaceAll('\r\n', '\n').trimEnd()).toBe('<p>Grüße 🎉</p>\n.\n<p>From here</p>');
    expect(seen.text?.replaceAll('\r\n', '\n').trimEnd()).toBe('Grüße 🎉\n.\nFrom here');
    expect(Date.parse(seen.date)).toBe(Math.floor(app.clock.now() / 1000) * 1000);
    expect(seen.attachments).toEqual(
      attachments.map(({ filename, contentType, content }) => ({
        filename,
        type: contentType.split(';')[0],
        disposition: 'attachment',
        hex: Buffer.from(content, 'base64').toString('hex'),
      })),
    );
    // The id is random, and has been seen to contain "eve".
    expect(message.toString('latin1').replaceAll(id, '')).not.toMatch(/eve|secret/i);
  });

  it('has the headers of a message and no others', async () => {
    const seen = await read(
      await rawMessage(app, await send({ cc: 'bob@example.test', reply_to: 'help@example.test' })),
    );
    expect(seen.headers.toSorted()).toEqual(
      [
        ...['From', 'To', 'Cc', 'Reply-To', 'Subject', 'Message-ID', 'Date', 'MIME-Version'],
        ...['Content-Type', 'Content-Transfer-Encoding'],
      ].toSorted(),
    );
  });

  it('has one body, or both as alternatives', async () => {
    const html = await read(await rawMessage(app, await send()));
    expect(html).toMatchObject({ type: 'text/html', text: null, defects: [] });
    const both = await read(await rawMessage(app, await send({ text: 'Hi' })));
    expect(both).toMatchObject({ type: 'multipart/alternative', defects: [] });
    expect(both.text?.trim()).toBe('Hi');
  });

  it('is the same bytes every time, for each recipient', async () => {
    const id = await send({
      cc: 'bob@example.test',
      html: '<a href="https://x.test/">x</a>',
      text: 'x',
      track_opens: true,
      track_clicks: true,
      attachments: [{ filename: 'a.txt', contentType: 'text/plain', content: 'YQ==' }],
    });
    const [first, bob] = [await rawMessage(app, id), await rawMessage(app, id, 'bob@example.test')];
    app.clock.set(app.clock.now() + 86_400_000);
    await app.drain();
    expect(await rawMessage(app, id)).toEqual(first);
    expect(await rawMessage(app, id, 'Bob <BOB@example.test>')).toEqual(bob);
    expect(bob).not.toEqual(first);
  });

  it('is dated at the time it was scheduled for', async () => {
    const at = Math.floor(app.clock.now() / 1000) * 1000 + 7_200_000;
    const id = await send({ scheduled_at: new Date(at).toISOString() });
    const before = await rawMessage(app, id);
    expect(Date.parse((await read(before)).date)).toBe(at);
    app.clock.set(at);
    await app.drain();
    expect(await rawMessage(app, id)).toEqual(before);
  });

  it('converts an international domain to its ASCII form', async () => {
    const id = await send({ from: 'Bücher <shop@bücher.test>', to: 'ada@例え.test' });
    const seen = await read(await rawMessage(app, id));
    expect(seen.defects).toEqual([]);
    expect(seen.from).toEqual([['Bücher', 'shop@xn--bcher-kva.test']]);
    expect(seen.to).toEqual([['', 'ada@xn--r8jz45g.test']]);
    expect(seen.message_id).toBe(`<${id}@xn--bcher-kva.test>`);
  });

  it('contains any subject, name and text as given', async () => {
    const line = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 120 })
      .map((value) => value.replace(/\s+/gu, ' ').trim())
      .filter((value) => value !== '');
    await fc.assert(
      fc.asyncProperty(line, line, fc.string({ unit: 'grapheme', maxLength: 400 }), async (subject, name, text) => {
        const quoted = `"${name.replace(/["\\]/g, '\\$&')}" <ada@example.test>`;
        const message = await rawMessage(app, await send({ subject, to: quoted, text: `${text}.` }));
        const parsed = await simpleParser(message, { skipHtmlToText: true, skipTextToHtml: true });
        expect(parsed.subject).toBe(subject);
        expect([parsed.to].flat()[0]?.value).toEqual([{ name, address: 'ada@example.test' }]);
        expect(parsed.text?.replaceAll('\r\n', '\n').trimEnd()).toBe(`${text}.`.replace(/\r\n?/g, '\n').trimEnd());
        expect(message.toString('latin1')).not.toMatch(/[^\r]\n|\r[^\n]|[\u0080-\u00ff]/);
        for (const row of message.toString('latin1').split('\r\n')) expect(row.length).toBeLessThanOrEqual(998);
      }),
      { numRuns: 75 },
    );
  });

  it.each([
    ['of 998 characters without a space', 'x'.repeat(998)],
    ['of 998 characters that are not ASCII', 'é'.repeat(998)],
    ['that looks like an encoded word', '=?utf-8?Q?no?='],
    ['with a quotation "mark" and a bracket )', 'a "b" (c) <d@e.test>; f'],
  ])('is without a defect with a subject %s', async (_, subject) => {
    const seen = await read(await rawMessage(app, await send({ subject })));
    expect(seen.defects).toEqual([]);
    expect(seen.subject).toBe(subject);
  });

  it.each(['multipart/mixed', 'multipart/x; boundary=y', 'text/html', 'image/png', 'text/calendar; method=REQUEST'])(
    'contains an attachment declared as %s byte for byte',
    async (contentType) => {
      const content = Buffer.from('--y\n\n\u00ff\0 .\r\n.\rX\n--y--');
      const attachments = [{ filename: 'a', contentType, content: content.toString('base64') }];
      const seen = await read(await rawMessage(app, await send({ attachments })));
      expect(seen.defects).toEqual([]);
      expect(seen.attachments).toMatchObject([{ filename: 'a', hex: content.toString('hex') }]);
    },
  );

  it('contains an attached message as a message', async () => {
    const inner = 'Subject: inner\nFrom: a@b.test\n\nHällo\n';
    const attachments = [
      { filename: 'inner.eml', contentType: 'message/rfc822', content: Buffer.from(inner).toString('base64') },
    ];
    const seen = await read(await rawMessage(app, await send({ attachments })));
    expect(seen.defects).toEqual([]);
    expect(seen.attachments).toMatchObject([{ filename: 'inner.eml', type: 'message/rfc822' }]);
  });

  it('separates its parts even when the content imitates their boundary', async () => {
    const first = await rawMessage(app, await send({ text: 'x' }));
    const [, boundary = ''] = /boundary="([^"]+)"/.exec(first.toString()) ?? [];
    const text = `--${boundary}\n--${boundary}--\nafter`;
    const seen = await read(await rawMessage(app, await send({ text })));
    expect(seen.text?.replaceAll('\r\n', '\n').trim()).toBe(text);
  });
});
