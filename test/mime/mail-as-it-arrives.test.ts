import { describe, expect, it } from 'vitest';
import { parseMessage } from '../../src/mime/parse.js';
import { repairMessage } from '../../src/mime/repair.js';
import { readSimpleMessage } from '../../src/mime/simple-message.js';
import { isRaised } from '../corpus/differences.js';
import { readBySecondParser } from '../corpus/second-parser.js';
import { skippedWithout } from '../support/cli/tools.js';
import { randomFrom, randomMessage } from '../support/mail/messages.js';

/** Tests messages that do not follow the standards, and those that use the rarer parts of them. */

const HEAD = 'From: a@x.test\r\nTo: b@x.test\r\nSubject: Hi\r\nMIME-Version: 1.0\r\n';
/** Sizes below and above the limit of the reader in the server's process. */
const FILLERS = { small: '', large: `${'x'.repeat(70)}\r\n`.repeat(1_000) };

async function read(message: string | Buffer) {
  const bytes = Buffer.isBuffer(message) ? message : Buffer.from(message, 'latin1');
  const before = Buffer.from(bytes);
  const parsed = await parseMessage(bytes);
  // The stored message is that one.
  expect(bytes.equals(before)).toBe(true);
  const { content, attachments, warnings } = parsed;
  return {
    ...content,
    attachments: attachments.map((each) => [
      each.filename,
      each.contentType,
      each.disposition,
      Buffer.from(each.content).toString(),
    ]),
    codes: [...new Set(warnings.map(({ code }) => code))],
  };
}

const withoutPython = skippedWithout('python3');

/** Messages by name, which the second parser reads rightly too. */
function structures(filler: string): Record<string, string> {
  const text = `Your code is 135790\r\n${filler}`;
  const part = (type: string, body: string) => `Content-Type: ${type}\r\n\r\n${body}\r\n`;
  const pdf =
    'Content-Type: application/pdf; name=a.pdf\r\nContent-Disposition: attachment; filename=a.pdf\r\n\r\nPDF\r\n';
  const mixed = (parameter: string, lines: string) =>
    `${HEAD}Content-Type: multipart/mixed; ${parameter}\r\n\r\n${lines}`;
  const messages: Record<string, string> = {};
  for (const [name, blanks] of [
    ['a blank', ' '],
    ['a tab', '\t'],
    ['many blanks', ' \t '.repeat(20)],
  ]) {
    messages[`${name} after a boundary`] = mixed(
      'boundary=zz',
      `--zz${blanks}\r\n${part('text/plain', text)}--zz${blanks}\r\n${pdf}--zz--${blanks}\r\n`,
    );
  }
  for (const parameter of [
    'boundary=zz (b)',
    'boundary="zz" (a (nested) comment)',
    '(x) boundary = zz',
    'boundary="z\\z"',
    'boundary="zz "',
    'charset=utf-8; boundary="zz";',
    'boundary*0=z; boundary*1=z',
  ]) {
    messages[parameter] = mixed(parameter, `--zz\r\n${part('text/plain', text)}--zz\r\n${pdf}--zz--\r\n`);
  }
  for (const depth of [1, 2, 5]) {
    const open = Array.from(
      { length: depth },
      (_, n) => `Content-Type: multipart/mixed; boundary=in${n}\r\n\r\n--in${n}\r\n`,
    ).join('');
    messages[`${depth} inner multiparts that are not closed`] = mixed(
      'boundary=out',
      `--out\r\n${open}${part('text/plain', text)}--out\r\n${pdf}--out--\r\n`,
    );
  }
  messages['an inner boundary that begins with the outer one'] = mixed(
    'boundary=b',
    `--b\r\nContent-Type: multipart/mixed; boundary=bb\r\n\r\n--bb\r\n${part('text/plain', text)}--b\r\n${pdf}--b--\r\n`,
  );
  messages['an outer multipart without an end'] = mixed(
    'boundary=b',
    `--b\r\n${part('text/plain', text)}--b\r\n${pdf}`,
  );
  messages['a part without an empty line'] = mixed('boundary=b', `--b\r\n${text}\r\n--b\r\n${pdf}--b--\r\n`);
  messages['no empty line after the header'] = `From: a@x.test\r\nSubject: Hi\r\n${text}`;
  return messages;
}

/** Multiparts without any part, with the text that is shown of each. */
function multipartsOfText(filler: string): [name: string, message: string, text: string][] {
  const text = `Your code is 135790\r\n${filler}`;
  const other = `--two\r\nContent-Type: text/plain\r\n\r\n${text}--two--\r\n`;
  const inner = `--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n${text}\r\n--b\r\nContent-Type: image/png\r\n\r\nPNG\r\n--b--\r\n`;
  const closed = `${text}--one--\r\n--one\r\n\r\nx\r\n`;
  return [
    ['no boundary', `${HEAD}Content-Type: multipart/mixed\r\n\r\n${text}`, text],
    ['a boundary that no line has', `${HEAD}Content-Type: multipart/alternative; boundary=one\r\n\r\n${other}`, other],
    ['an end before its first part', `${HEAD}Content-Type: multipart/mixed; boundary=one\r\n\r\n${closed}`, closed],
    ['an inner one without its boundary', `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n${inner}`, text],
  ];
}

describe.each(Object.entries(FILLERS))('a %s message', (_, filler) => {
  it.skipIf(withoutPython)(`has the parts that a second parser finds${withoutPython}`, async () => {
    const all = Object.entries(structures(filler));
    const second = await readBySecondParser(all.map(([, message]) => Buffer.from(message, 'latin1')));
    for (const [index, [name, message]] of all.entries()) {
      const { parts } = second[index] as (typeof second)[number];
      if (isRaised(parts)) throw new Error(name);
      const bodies = parts.filter(({ disposition }) => disposition !== 'attachment');
      const files = parts
        .filter(({ disposition }) => disposition === 'attachment')
        .map(({ filename, type, text }) => [filename, type, text ?? 'PDF']);
      const mail = await read(message);
      expect({
        name,
        text: mail.text.trimEnd(),
        files: mail.attachments.map(([file, type, , content]) => [file, type, content?.trim()]),
      }).toEqual({
        name,
        text: bodies
          .map(({ text }) => text ?? '')
          .join('\n')
          .replaceAll('\r\n', '\n')
          .trimEnd(),
        files,
      });
    }
  });

  it.each(multipartsOfText(filler))('is shown as text with %s', async (_name, message, text) => {
    const mail = await read(message);
    expect(mail.text.trimEnd()).toBe(text.replaceAll('\r\n', '\n').trimEnd());
    expect(mail.codes).toEqual(['missing_parts']);
  });

  it.each([
    ['text', 'text'],
    ['TEXT/', 'text'],
    ['', 'text'],
    ['plain/', 'text'],
    ['text/plain, charset=utf-8', 'text'],
    ['text/plain charset=utf-8', 'text'],
    ['charset=utf-8', 'text'],
    ['text/plain;;charset=utf-8', 'text'],
    ['html', 'html'],
    ['text/html, charset=utf-8', 'html'],
    ['text/html charset="utf-8"', 'html'],
    ['text/html (page); charset=utf-8', 'html'],
  ] as const)('is text, not a file, with the Content-Type %j', async (type, body) => {
    const content = `<p>Größe 135790</p>\r\n${filler}`;
    const whole = Buffer.from(`From: a@x.test\r\nContent-Type: ${type}\r\n\r\n${content}`);
    const inside = Buffer.from(
      `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: ${type}\r\n\r\n${content}\r\n--b--\r\n`,
    );
    for (const message of [whole, inside]) {
      const mail = await read(message);
      expect(mail[body]).toContain('Größe 135790');
      expect(mail[body === 'text' ? 'html' : 'text']).toBe('');
      expect(mail.attachments).toEqual([]);
    }
  });

  it('lists an inline text with a file name, and keeps it out of the body', async () => {
    const named = (fields: string) => `--b\r\n${fields}\r\n\r\nnote\r\n`;
    for (const fields of [
      'Content-Type: text/plain\r\nContent-Disposition: inline; filename=note.txt',
      'Content-Disposition: INLINE;\r\n filename="note.txt"\r\nContent-Type: text/plain; charset=utf-8',
      'Content-Type: text/plain; name=note.txt\r\nContent-Disposition: inline',
      "Content-Type: text/plain\r\nContent-Disposition: inline; filename*=utf-8''note.txt",
    ]) {
      const message = `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nbody${filler}\r\n${named(fields)}--b--\r\n`;
      const mail = await read(message);
      expect(mail.text.trimEnd()).toBe(`body${filler}`.replaceAll('\r\n', '\n').trimEnd());
      expect(mail.attachments).toEqual([['note.txt', 'text/plain', 'inline', 'note']]);
    }
    const alternative = await read(
      `${HEAD}Content-Type: multipart/alternative; boundary=b\r\n\r\n${named('Content-Type: text/plain; name=body.txt\r\nContent-Disposition: inline')}--b--\r\n`,
    );
    expect(alternative).toMatchObject({ text: 'note', attachments: [] });
  });

  it.each([
    ['text/plain; charset=us-ascii', 'Gr\xfc\xdfe \x80', 'Grüße €', ['guessed_charset']],
    ['text/plain', 'Gr\xfc\xdfe \x80', 'Grüße €', ['guessed_charset']],
    ['text/plain; charset=x-unknown', 'Gr\xfc\xdfe', 'Grüße', ['guessed_charset']],
    ['text/plain; charset=utf-8', 'Gr\xfc\xdfe', 'Grüße', ['guessed_charset']],
    ['text/plain', 'Gr\xc3\xbc\xc3\x9fe', 'Grüße', ['guessed_charset']],
    // One damaged character does not make it another charset.
    ['text/plain; charset=utf-8', 'Gr\xc3\xbc\xc3\x9fe \xc3', 'Grüße \ufffd', []],
    ['text/plain; charset=iso-8859-2', '\xb1', 'ą', []],
    ['text/plain; charset=windows-1252', '\x80', '€', []],
    ['text/html', '<meta charset=iso-8859-2>\xb1', '<meta charset=iso-8859-2>ą', []],
    ['text/html', '<meta charset="utf-8">\xc3\xbc', '<meta charset="utf-8">ü', []],
    [
      'text/html',
      '<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">\xc1',
      '<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">а',
      [],
    ],
  ])('decodes text of the type %j', async (type, bytes, text, codes) => {
    const encodings = {
      '8bit': `${bytes}\r\n${filler}`,
      base64: Buffer.from(`${bytes}\r\n${filler}`, 'latin1').toString('base64').replace(/.{76}/g, '$&\r\n'),
      'quoted-printable': `${bytes.replace(/[=\x80-\xff]/g, (each) => `=${each.charCodeAt(0).toString(16).toUpperCase()}`)}\r\n${filler}`,
    };
    for (const [encoding, body] of Object.entries(encodings)) {
      const mail = await read(`${HEAD}Content-Type: ${type}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}`);
      expect({ encoding, text: (mail.html || mail.text).split('\n')[0], codes: mail.codes }).toEqual({
        encoding,
        text,
        codes,
      });
    }
  });

  it('keeps fields and body of a header that is not well formed', async () => {
    const body = `Your code is 135790.\r\n${filler}`;
    const mails = {
      'a byte order mark': `\xef\xbb\xbf${HEAD}\r\n${body}`,
      'blanks before a colon': `From : a@x.test\r\nSubject\t: Hi\r\n\r\n${body}`,
      'no empty line': `From: a@x.test\r\nSubject: Hi\r\n${body}`,
    };
    for (const [name, message] of Object.entries(mails)) {
      expect({ name, ...(await read(message)) }).toMatchObject({
        name,
        from: 'a@x.test',
        subject: 'Hi',
        text: body.replaceAll('\r\n', '\n'),
        codes: ['malformed_header'],
      });
    }
    const broken = await read(
      `From: a@x.test\r\nSubject: Hi\r\na line that lost its blank\r\nContent-Type: text/html\r\n\r\n<p>hi</p>${filler}`,
    );
    expect(broken).toMatchObject({ subject: 'Hi', html: expect.stringContaining('<p>hi</p>') });
  });

  it('uses the first of fields that may occur once', async () => {
    const mail = await read(
      `From: a@x.test\r\nSubject: one\r\nSUBJECT: two\r\nFrom: b@x.test\r\nContent-Type: text/plain\r\nContent-Type: text/html\r\n\r\nhi${filler}`,
    );
    expect(mail).toMatchObject({
      from: 'a@x.test',
      subject: 'one',
      html: '',
      text: expect.stringContaining('hi'),
      codes: ['repeated_field'],
    });
  });
});

it('decodes header fields in the charset of the body, or as windows-1252', async () => {
  expect(await read('From: J\xf6rg <a@x.test>\r\nSubject: 5 \x80\r\n\r\nx')).toMatchObject({
    from: 'Jörg <a@x.test>',
    subject: '5 €',
    codes: ['malformed_header'],
  });
  expect(await read('Subject: \xb1\r\nContent-Type: text/plain; charset=iso-8859-2\r\n\r\nx')).toMatchObject({
    subject: 'ą',
  });
});

it('reads comments in comments, and trims names', async () => {
  expect(await read('From: a@x.test (Alice (inner) X)\r\n\r\nx')).toMatchObject({
    from: '"Alice (inner) X" <a@x.test>',
  });
  expect((await read('From: a@x.test\r\nReply-To: =?UTF-8?q?"A"_<r@x.test>?=\r\n\r\nx')).replyTo).not.toMatch(
    /^\s|\s$/,
  );
});

it('notices a Bcc field', async () => {
  expect(await read(`${HEAD}Bcc: c@x.test\r\n\r\nx`)).toMatchObject({ codes: ['revealed_bcc'] });
});

it('takes linear time for many nested multiparts and lines that look like delimiters', () => {
  const nested = Array.from(
    { length: 900 },
    (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`,
  ).join('');
  const lines = '--b\r\n'.repeat(500_000);
  const started = performance.now();
  repairMessage(Buffer.from(`${HEAD}${nested}\r\n${lines}`));
  // Quadratic time would be minutes.
  expect(performance.now() - started).toBeLessThan(20_000);
});

it('has no need of a repair where the server reads it in its own process', () => {
  const random = randomFrom(33);
  let readable = 0;
  for (let n = 0; n < 3_000; n += 1) {
    const bytes = randomMessage(random);
    if (!readSimpleMessage(bytes)) continue;
    readable += 1;
    expect({ message: bytes.toString('latin1'), ...repairMessage(bytes) }).toEqual({
      message: bytes.toString('latin1'),
      bytes,
      warnings: [],
    });
  }
  expect(readable).toBeGreaterThan(300);
});
