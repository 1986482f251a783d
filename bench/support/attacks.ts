import { gzipSync } from 'node:zlib';

/** Builds messages that keep a server busy or fill its memory. */

export interface Attack {
  name: string;
  /** Returns the messages to send over SMTP, all at once. */
  messages?(): Buffer[];
  to?: string;
  /** A request body to POST instead, and its path; `{id}` stands for the id of a template with this HTML. */
  rest?: { path: string; body(): string | Buffer; type?: string; template?: string };
  /** Connections to keep open without finishing the message, and the number of bytes to send on each. */
  unfinished?: { connections: number; bytes: number };
}

const MB = 1024 * 1024;
const HEAD = 'From: a@example.test\r\nTo: ada@example.test\r\nSubject: hostile\r\n';

const text = (...parts: string[]) => [Buffer.from(parts.join(''), 'latin1')];
const html = (body: string) => text(HEAD, 'Content-Type: text/html\r\n\r\n', body);
const lines = (character: string, count: number) => `${character.repeat(900)}\r\n`.repeat(Math.ceil(count / 902));
const multipart = (parts: string) =>
  text(HEAD, 'Content-Type: multipart/mixed; boundary=b\r\n\r\n', parts, '--b--\r\n');
const nested = (levels: number) =>
  Array.from(
    { length: levels },
    (_, depth) => `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n`,
  ).join('');
const base64 = (bytes: number) => `${'QUJD'.repeat(19)}\r\n`.repeat(Math.floor(bytes / 78));
const references = 'References: <a>\r\n'.repeat(55_000);

export const attacks: Attack[] = [
  { name: 'one small message, for comparison', messages: () => text(HEAD, '\r\nhi\r\n') },
  {
    name: 'blanks in href, clicked@, 900 KB',
    to: 'clicked@simulator.test',
    messages: () => html(`<a href="http://e.test/${lines(' ', 900_000)}x">c</a>`),
  },
  {
    name: 'blanks in href, 20 x 60 KB',
    messages: () =>
      Array.from({ length: 20 }, () => html(`<a href="http://e.test/${lines(' ', 60_000)}x">c</a>`)).flat(),
  },
  {
    name: '200,000 attributes, 2 MB',
    to: 'clicked@simulator.test',
    messages: () =>
      html(
        `<a ${Array.from({ length: 200_000 }, (_, n) => `a${n}=1${n % 100 ? ' ' : '\r\n'}`).join('')}href="http://e.test/">c</a>`,
      ),
  },
  { name: 'References x 55,000, 950 KB', messages: () => text(HEAD, references, '\r\nhi\r\n') },
  {
    name: 'References x 55,000 in 20 parts, 19 MB',
    messages: () => multipart(`--b\r\nContent-Type: text/plain\r\n${references}\r\nhi\r\n`.repeat(20)),
  },
  {
    name: 'groups in Cc, 800 KB',
    messages: () => text(HEAD, `Cc: ${'a:'.repeat(400)}\r\n ${`${'a:'.repeat(400)}\r\n `.repeat(1_000)}\r\n\r\nhi\r\n`),
  },
  {
    name: 'encoded words in Cc, 900 KB',
    messages: () => text(HEAD, `Cc: ${'=?utf-8?q?a?= <a@b.test>,\r\n '.repeat(32_000)}x@y.test\r\n\r\nhi\r\n`),
  },
  {
    name: 'encoded words in Subject, 900 KB',
    messages: () => text('Subject: ', '=?utf-8?b?YQ==?=\r\n '.repeat(45_000), 'x\r\n\r\nhi\r\n'),
  },
  {
    name: 'comments in From, 900 KB',
    messages: () => text(`From: ${`${'('.repeat(900)}\r\n `.repeat(1_000)}a@b.test\r\n\r\nhi\r\n`),
  },
  {
    name: 'carriage returns in a header, 900 KB',
    messages: () => text(HEAD, `X: ${'\r'.repeat(900_000)}x\r\n\r\nhi\r\n`),
  },
  {
    name: 'parameters, 900 KB',
    messages: () =>
      text(
        HEAD,
        `Content-Type: text/plain${Array.from({ length: 60_000 }, (_, n) => `;\r\n a*${n}=b`).join('')}\r\n\r\nhi\r\n`,
      ),
  },
  {
    name: '1,000,000 links, 17 MB',
    to: 'clicked@simulator.test',
    messages: () => html('<a href=http://e>\r\n'.repeat(1_000_000)),
  },
  { name: '5 MB of <', messages: () => html(lines('<', 5 * MB)) },
  { name: '1,000,000 entities', messages: () => html('&amp;&#x41;\r\n'.repeat(1_000_000)) },
  {
    name: '30 MB attachment',
    messages: () =>
      multipart(
        `--b\r\nContent-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64(30 * MB)}\r\n`,
      ),
  },
  { name: '39 MB of text', messages: () => text(HEAD, '\r\n', lines('x', 39 * MB - 2_000)) },
  {
    name: '39 MB of uuencoded lines',
    messages: () =>
      text(
        HEAD,
        'Content-Transfer-Encoding: quoted-printable\r\n\r\n',
        `${'=41'.repeat(25)}=\r\n`.repeat(Math.floor((38 * MB) / 78)),
      ),
  },
  {
    name: '16 x 39 MB',
    messages: () => Array.from({ length: 16 }, () => Buffer.from(`${HEAD}\r\n${lines('x', 39 * MB - 2_000)}`)),
  },
  { name: '16 x 39 MB unfinished', unfinished: { connections: 16, bytes: 39 * MB } },
  { name: '10,000 nested multiparts', messages: () => text(HEAD, nested(10_000), '\r\nhi\r\n') },
  {
    name: '100,000 nested messages',
    messages: () => text(HEAD, 'Content-Type: message/rfc822\r\n\r\n'.repeat(100_000), 'hi\r\n'),
  },
  { name: '100,000 parts', messages: () => multipart('--b\r\nContent-Type: text/plain\r\n\r\nhi\r\n'.repeat(100_000)) },
  {
    name: '999 attachments of 30 KB',
    messages: () =>
      multipart(
        `--b\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64(30_000)}\r\n`.repeat(999),
      ),
  },
  { name: '150,000 header fields', messages: () => text(HEAD, 'X: y\r\n'.repeat(150_000), '\r\nhi\r\n') },
  { name: '1,000,000 header fields', messages: () => text(HEAD, 'X: y\r\n'.repeat(1_000_000), '\r\nhi\r\n') },
  { name: 'a header line of 30 MB', messages: () => text(HEAD, 'X: ', 'x'.repeat(30 * MB), '\r\n\r\nhi\r\n') },
  {
    name: '100 subjects of 900 KB',
    messages: () =>
      Array.from({ length: 100 }, () =>
        text(`Subject: ${`${'s'.repeat(900)}\r\n `.repeat(1_000)}x\r\n\r\nhi\r\n`),
      ).flat(),
  },
  {
    name: '500 small messages that need a worker',
    messages: () =>
      Array.from({ length: 500 }, (_, n) =>
        text(HEAD, `Comments: =?x?q?${n}?=\r\nContent-Type: text/plain; format=flowed\r\n\r\nhi\r\n`),
      ).flat(),
  },
  {
    name: 'iso-2022-jp, 39 MB',
    messages: () =>
      text(HEAD, 'Content-Type: text/plain; charset=iso-2022-jp\r\n\r\n', lines('\x1b$B', 39 * MB - 2_000)),
  },
  {
    name: 'utf-7, 20 MB',
    messages: () => text(HEAD, 'Content-Type: text/html; charset=utf-7\r\n\r\n', lines('+', 20 * MB)),
  },
  {
    name: 'blanks in to (REST), 60 KB',
    rest: {
      path: '/v1/emails',
      body: () => JSON.stringify({ from: 'a@b.test', to: `x${' '.repeat(60_000)}y`, subject: 's', html: 't' }),
    },
  },
  {
    name: '209,000 placeholders x 5 MB (REST)',
    rest: {
      path: '/v1/templates/{id}/render',
      template: '{{a}}'.repeat(209_000),
      body: () => JSON.stringify({ variables: { a: '<'.repeat(5 * MB) } }),
    },
  },
  {
    name: 'import, size NaN',
    rest: { path: '/_svc/import', type: 'application/gzip', body: importWithoutSize },
  },
];

/** Returns a tar archive whose first member has spaces for its size. */
function importWithoutSize(): Buffer {
  const block = Buffer.alloc(1_024);
  block.write('manifest.json', 0);
  block.write('0000644\0', 100);
  block.write('           \0', 124);
  block.write('ustar\x0000', 257);
  block.fill(' ', 148, 156);
  const sum = block.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return gzipSync(block);
}
