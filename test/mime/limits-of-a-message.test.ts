import { describe, expect, it } from 'vitest';
import { HEADER_FIELDS_MAX, PARTS_MAX, SHOWN_FIELD_MAX } from '../../src/mime/limits.js';
import { parseMessage } from '../../src/mime/parse.js';

const parse = (text: string) => parseMessage(Buffer.from(text, 'latin1'));
const HEAD = 'From: a@x.test\r\nTo: b@x.test\r\nSubject: Hi\r\n';

describe('a message beyond the limits', () => {
  it('is read up to a number of header fields, and reports that', async () => {
    const fields = (count: number) => `${HEAD}${'X-Many: yes\r\n'.repeat(count)}`;
    // The empty line that ends the header counts too.
    expect(await parse(`${fields(HEADER_FIELDS_MAX - 4)}\r\nhi`)).toMatchObject({ warnings: [] });
    const { content, warnings } = await parse(`${fields(HEADER_FIELDS_MAX)}Reply-To: late@x.test\r\n\r\nhi`);
    expect(content).toMatchObject({ subject: 'Hi', text: 'hi', replyTo: null });
    expect(warnings).toEqual([{ code: 'content_cut', path: '', message: expect.stringContaining('10000 fields') }]);
  });

  it('is read without a header field that exceeds the size of a header', async () => {
    const { content, warnings } = await parse(
      `${HEAD}X-Long:${' long'.repeat(600_000)}\r\nReply-To: r@x.test\r\n\r\nhi`,
    );
    expect(content).toMatchObject({ subject: 'Hi', text: 'hi', replyTo: 'r@x.test' });
    expect(warnings).toEqual([{ code: 'content_cut', path: '', message: expect.stringContaining('1048576 bytes') }]);
  });

  it('counts the header fields of all parts together', async () => {
    const part = `--b\r\n${'X-Many: yes\r\n'.repeat(HEADER_FIELDS_MAX / 2)}\r\nhi\r\n`;
    const { warnings } = await parse(`${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n${part.repeat(3)}--b--`);
    expect(warnings).toEqual([
      { code: 'content_cut', path: '', message: expect.stringContaining('all parts together') },
    ]);
  });

  it('has a limited number of parts, with the rest in the last one', async () => {
    const part = (name: string) => `--b\r\nContent-Type: image/png; name="${name}"\r\n\r\n${name}\r\n`;
    const message = (parts: number) =>
      `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n${Array.from({ length: parts }, (_, n) => part(`p${n}`)).join('')}--b--\r\n`;
    // The message itself is one of them.
    const whole = await parse(message(PARTS_MAX - 1));
    expect(whole.attachments).toHaveLength(PARTS_MAX - 1);
    expect(whole.warnings).toEqual([]);

    const cut = await parse(message(PARTS_MAX + 1));
    expect(cut.attachments).toHaveLength(PARTS_MAX - 1);
    expect(Buffer.from(cut.attachments.at(-1)?.content ?? []).toString()).toContain(part(`p${PARTS_MAX}`).trim());
    expect(cut.warnings).toEqual([
      { code: 'content_cut', path: '', message: expect.stringContaining(`${PARTS_MAX} parts`) },
    ]);
  });

  it('keeps a message that is nested too deeply as one part', async () => {
    const { attachments, content, warnings } = await parse(
      `${HEAD}${'Content-Type: message/rfc822\r\nContent-Disposition: inline\r\n\r\n'.repeat(3_000)}hi`,
    );
    expect(content).toMatchObject({ subject: 'Hi', parseError: null });
    expect(attachments).toHaveLength(1);
    expect(warnings).toEqual([]);
  });

  it('shows a subject of a megabyte up to a limit', async () => {
    const { content, warnings } = await parse(`Subject: ${`${'s'.repeat(900)}\r\n `.repeat(1_000)}x\r\n\r\nhi`);
    expect(content.subject).toHaveLength(SHOWN_FIELD_MAX);
    expect(warnings).toEqual([{ code: 'content_cut', path: '', message: expect.stringContaining('"subject"') }]);
  });

  // Each took from seconds to minutes when its time grew with the square of the size.
  it.each([
    ['References', 'References: <a>\r\n'.repeat(9_000)],
    ['carriage returns', `X-Line: ${'\r'.repeat(1_000_000)}x\r\n`],
  ])('is read quickly: %s', async (_, fields) => {
    expect((await parse(`${HEAD}${fields}\r\nhi`)).content).toMatchObject({ subject: 'Hi', text: 'hi' });
  });

  it('is complete when the type of a part is empty', async () => {
    const { content, attachments } = await parse(
      `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nhello\r\n--b\r\nContent-Type: ; name="x.jpg"\r\n\r\nzz\r\n--b--`,
    );
    expect(content).toMatchObject({ subject: 'Hi', text: 'hello' });
    expect(attachments).toMatchObject([{ filename: 'x.jpg', contentType: 'image/jpeg' }]);
  });
});
