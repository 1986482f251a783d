/**
 * Generates messages of many forms, the same ones for the same seed. Most have the form that applications send, some
 * are malformed.
 */

export type Random = () => number;

/** Returns a generator of fractions from 0 to 1 (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const ADDRESSES = [
  'ada@example.test',
  'Ada Lovelace <ada@Example.test>',
  '"Ada, L." <a.b+c@x-y.test>',
  "A_b-C <o'x@y.test>",
  '42 <a%b@c.test>',
  'Ada<a@b.test>',
  '<a@b.test>',
  '"Ada J. L."<a@b>',
  'a..b@c.test',
  'A  B <a@b.test>',
  '"A  B" <a@b.test>',
];
const ODD_ADDRESSES = [
  '',
  'x',
  'Grp: a@b.test;',
  'Grp: a@b.test, c@d.test;',
  'user@[127.0.0.1]',
  'a@xn--nxasmq6b.test',
  '=?utf-8?q?=C3=A9?= <a@b.test>',
  '"a\\"b" <a@b.test>',
  'a@b.test (comment)',
  'Näme <a@b.test>',
  '<<a@b.test>>',
  'a@b@c.test',
];
const SUBJECTS = [
  'Your order has been shipped',
  'a  b',
  '',
  '  x  ',
  'Re: [x] (y) "z"',
  'a\r\n b',
  'a\r\n\t b',
  '=?utf-8?q?=C3=A9?=',
];
const TEXTS = [
  'Hello',
  'Hello\r\n',
  '',
  '\r\n',
  'a\r\n\r\nb\r\n',
  'caf\u00c3\u00a9',
  '-- \r\nsig',
  'x'.repeat(200),
  '  lead',
  'trail  ',
  '.',
  '..x\r\n',
  '<p>hi</p>',
  '=3D',
  'a\nb',
  '--',
  '\0',
];
const TYPES = [
  'text/plain',
  'text/html',
  'text/plain; charset=utf-8',
  'text/html; charset="UTF-8"',
  'TEXT/PLAIN; charset=us-ascii',
];
const ODD_TYPES = [
  'text/plain; format=flowed',
  'text/plain; charset=iso-8859-1',
  'text/csv; name="x.csv"',
  '; name="x.jpg"',
  'text',
  'message/rfc822',
  'text/html; name="a.html"',
  'application/octet-stream; name="x.pdf"',
  'text/plain;charset=utf-8;charset=us-ascii',
];
const DISPOSITIONS = ['attachment', 'inline', 'attachment; filename="x y.pdf"', 'inline; filename=i.png'];
const ODD_DISPOSITIONS = [
  'ATTACHMENT; filename=".."',
  'attachment; size=3',
  'attachment; filename="%20"',
  'x',
  'attachment; filename="__proto__"',
  "attachment; filename*=utf-8''x",
];

export function randomMessage(random: Random): Buffer {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const usual = <T>(from: readonly T[], odd: readonly T[]): T => (random() < 0.97 ? pick(from) : pick(odd));
  const base = pick(['b', 'c', '=_1', 'x'.repeat(30)]);
  const list = () =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, () => usual(ADDRESSES, ODD_ADDRESSES)).join(
      pick([',', ', ', ',\r\n ']),
    );
  const encoded = (text: string, encoding: string) => {
    if (encoding === 'base64') return Buffer.from(text, 'latin1').toString('base64').replace(/.{20}/g, '$&\r\n');
    if (encoding !== 'quoted-printable') return text;
    return text
      .replace(/[=\x80-\xff]/g, (character) => `=${character.charCodeAt(0).toString(16).toUpperCase()}`)
      .replace(/ (?=\r\n|$)/g, '=20');
  };
  const leaf = () => {
    const encoding = usual(['', '7bit', '8bit', 'quoted-printable', 'base64'], ['x', 'BASE64', 'binary']);
    const type = random() < 0.9 ? `Content-Type: ${usual(TYPES, ODD_TYPES)}\r\n` : '';
    return `${type}${encoding ? `Content-Transfer-Encoding: ${encoding}\r\n` : ''}\r\n${encoded(pick(TEXTS), encoding)}`;
  };
  const attachment = () =>
    [
      `Content-Type: ${pick(['image/png', 'application/pdf; name="a.pdf"', 'application/zip'])}`,
      'Content-Transfer-Encoding: base64',
      `Content-Disposition: ${usual(DISPOSITIONS, ODD_DISPOSITIONS)}`,
      ...(random() < 0.3 ? ['Content-ID: <i@x>'] : []),
      '',
      pick(['aGk=', 'aGk=\r\n', '', 'aGVsbG8g\r\nd29ybGQh', 'aGk']),
    ].join('\r\n');
  const multipart = (depth: number): string => {
    const boundary = `${base}${depth}`;
    const part = () => {
      if (depth < 3 && random() < 0.3) return multipart(depth + 1);
      return random() < 0.7 ? leaf() : attachment();
    };
    const parts = Array.from({ length: 1 + Math.floor(random() * 3) }, () => `--${boundary}\r\n${part()}\r\n`).join('');
    const end = usual(['', '\r\n'], ['\r\nepilogue', '\r\n\r\n']);
    return `Content-Type: multipart/${pick(['alternative', 'mixed', 'related'])}; boundary="${boundary}"\r\n\r\n${parts}--${boundary}--${end}`;
  };
  const head = [
    `From: ${usual(ADDRESSES, ODD_ADDRESSES)}`,
    `To: ${list()}`,
    ...(random() < 0.3 ? [`Cc: ${list()}`] : []),
    ...(random() < 0.3 ? [`Reply-To: ${list()}`] : []),
    `Subject: ${pick(SUBJECTS)}`,
    ...(random() < 0.1 ? ['X-Service-Simulate: bounced'] : []),
    ...(random() < 0.02 ? ['From: twice@x.test'] : []),
  ].join('\r\n');
  return Buffer.from(`${head}\r\n${random() < 0.6 ? multipart(0) : leaf()}`, 'latin1');
}
