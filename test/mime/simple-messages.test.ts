import { describe, expect, it } from 'vitest';
import type { ParsedMessage } from '../../src/core/ports.js';
import { HEADER_FIELDS_MAX, SHOWN_FIELD_MAX } from '../../src/mime/limits.js';
import { parseMessage } from '../../src/mime/parse.js';
import { readSimpleMessage, SIMPLE_BYTES_MAX } from '../../src/mime/simple-message.js';
import { randomFrom, randomMessage } from '../support/mail/messages.js';

const MESSAGES = 3_000;

const comparable = ({ attachments, ...rest }: ParsedMessage) => ({
  ...rest,
  attachments: attachments.map((each) => ({ ...each, content: Buffer.from(each.content).toString('latin1') })),
});

const simple: Record<string, string> = {
  'text alone': 'From: a@x.test\r\nTo: b@x.test\r\nSubject: Hi\r\n\r\nhello\r\n',
  'text and HTML, as nodemailer sends them': [
    'From: Ada Lovelace <ada@example.test>',
    'To: Grace Hopper <grace@example.test>, "Doe, J." <j.doe@example.test>',
    'Subject: Your order has been shipped',
    'Message-ID: <5d2c6f1c@example.test>',
    'Date: Thu, 01 Jan 2026 12:00:00 +0000',
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative;',
    ' boundary="--_NmP-1234567890abcdef-Part_1"',
    '',
    '----_NmP-1234567890abcdef-Part_1',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'caf=C3=A9, a long line that =',
    'goes on',
    '----_NmP-1234567890abcdef-Part_1',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: 7bit',
    '',
    '<p>hi</p>',
    '----_NmP-1234567890abcdef-Part_1--',
    '',
  ].join('\r\n'),
  'an attachment': [
    'From: a@x.test',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    '',
    'hello',
    '--b',
    'Content-Type: application/pdf; name="order 4711.pdf"',
    'Content-Disposition: attachment; filename="order 4711.pdf"',
    'Content-Transfer-Encoding: base64',
    '',
    'aGVsbG8=',
    '--b--',
  ].join('\r\n'),
};

describe('a message of a simple form', () => {
  it.each(Object.entries(simple))('is read without mailparser, as mailparser reads it: %s', async (_, message) => {
    const bytes = Buffer.from(message);
    const read = readSimpleMessage(bytes);
    expect(read && comparable(read)).toEqual(comparable(await parseMessage(bytes)));
  });

  it('is read as mailparser reads it, whatever it contains', async () => {
    const random = randomFrom(4_711);
    let readable = 0;
    for (let n = 0; n < MESSAGES; n += 1) {
      const bytes = randomMessage(random);
      const read = readSimpleMessage(bytes);
      if (!read) continue;
      readable += 1;
      expect({ bytes: bytes.toString('latin1'), ...comparable(read) }).toEqual({
        bytes: bytes.toString('latin1'),
        ...comparable(await parseMessage(bytes)),
      });
    }
    expect(readable).toBeGreaterThan(MESSAGES / 10);
  });

  it.each([
    ['subject', (value: string) => `Subject: ${value}\r\n`, SHOWN_FIELD_MAX],
    ['sender', (value: string) => `From: ${value} <a@x.test>\r\n`, SHOWN_FIELD_MAX - ' <a@x.test>'.length],
    ['reply address', (value: string) => `Reply-To: ${value} <a@x.test>\r\n`, SHOWN_FIELD_MAX - ' <a@x.test>'.length],
  ])('has no truncated %s', async (_, field, longest) => {
    const message = (length: number) => Buffer.from(`${field('x'.repeat(length))}X-A: b\r\n\r\nhi\r\n`);
    const whole = await parseMessage(message(longest));
    expect(whole.warnings).toEqual([]);
    expect(readSimpleMessage(message(longest))).toEqual(whole);
    expect((await parseMessage(message(longest + 1))).warnings).toHaveLength(1);
    expect(readSimpleMessage(message(longest + 1))).toBeUndefined();
  });

  it('has no more header fields than are read, over all parts', async () => {
    const part = (fields: number) => `--b\r\n${'X:\r\n'.repeat(fields)}\r\nhi\r\n`;
    const message = (fields: number) =>
      Buffer.from(`Content-Type: multipart/mixed; boundary=b\r\n\r\n${part(5_000)}${part(fields)}--b--\r\n`);
    // The field of the message and the three empty lines that end the headers are counted too.
    const most = HEADER_FIELDS_MAX - 5_000 - 4;
    const whole = await parseMessage(message(most));
    expect(whole.warnings).toEqual([]);
    expect(readSimpleMessage(message(most))).toEqual(whole);
    expect((await parseMessage(message(most + 2))).warnings).toHaveLength(1);
    expect(readSimpleMessage(message(most + 1))).toBeUndefined();
    expect(readSimpleMessage(message(most + 2))).toBeUndefined();
  });

  it('is no larger than the limit', () => {
    const head = 'Subject: Hi\r\n\r\n';
    expect(readSimpleMessage(Buffer.from(head + 'x'.repeat(SIMPLE_BYTES_MAX - head.length)))).toBeDefined();
    expect(readSimpleMessage(Buffer.from(head + 'x'.repeat(SIMPLE_BYTES_MAX - head.length + 1)))).toBeUndefined();
  });
});
