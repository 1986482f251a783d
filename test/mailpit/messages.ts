/** Makes messages that vary in their addresses, texts, parts and header fields. The same ones in every run. */

export interface TestMessage {
  raw: string;
  envelope: { from: string; to: string[] };
}

export const MESSAGES = 200;

const pick = <T>(list: readonly T[], n: number): T => list[n % list.length] as T;

const PEOPLE: readonly (readonly [name: string, email: string])[] = [
  ['Ada Lovelace', 'ada@example.test'],
  ['', 'bob@example.test'],
  ['Smith, John', 'john.smith@shop.example.com'],
  ['=?UTF-8?Q?J=C3=BCrgen_M=C3=BCller?=', 'juergen@example.test'],
  ['Billing', 'billing@shop.example.com'],
  ['Zoë', 'zoe@example.test'],
];
const SUBJECTS = [
  'Reset your password',
  'Welcome to the shop',
  'Invoice 2026-%n is ready',
  '=?UTF-8?B?R3LDvMOfZSBhdXMgS8O2bG4=?=',
  'Order "42" (shipped), thanks; 100% done',
  'A very long subject that a mail program would fold\r\n over two lines of the header',
];
const TEXTS = [
  'Hello,\r\nyour code is 493817.\r\n\r\nRegards',
  'Please confirm: https://shop.example.com/confirm?token=abc_%n',
  `Terms. ${'All work and no play makes a dull text. '.repeat(30)}`,
  'Grüße aus Köln, das ist Nummer %n.',
];
const HTMLS: [string, string, string] = [
  '<h1>Welcome</h1><p>Your order is on its <b>way</b>. Number %n.</p>',
  '<html><head><style>p{color:red}</style></head>\r\n<body><p>Invoice &amp; receipt</p><a href="https://shop.example.com/i/%n">Open</a></body></html>',
  '<p>Picture: <img src="cid:logo@shop" alt="Logo"></p>',
];

/** Encodes an address. Names that are words are written as they are. */
function address([name, email]: readonly [string, string]): string {
  if (name === '') return email;
  if (name.startsWith('=?')) return `${name} <${email}>`;
  return /^[\w ]+$/.test(name) ? `${name} <${email}>` : `${encodedName(name)} <${email}>`;
}

function encodedName(name: string): string {
  return /^[ -~]*$/.test(name) ? `"${name}"` : `=?UTF-8?B?${Buffer.from(name).toString('base64')}?=`;
}

export function messageOf(n: number): TestMessage {
  const from = pick(PEOPLE, n);
  const to = [pick(PEOPLE, n + 1), ...(n % 4 === 0 ? [pick(PEOPLE, n + 2)] : [])];
  const cc = n % 5 === 0 ? [pick(PEOPLE, n + 3)] : [];
  const bcc = n % 7 === 0 ? [`hidden${n % 3}@example.test`] : [];
  const numbered = (text: string) => text.replaceAll('%n', String(n));
  const header = [
    `X-Case: ${n}`,
    `From: ${address(from)}`,
    `To: ${to.map(address).join(', ')}`,
    ...(cc.length > 0 ? [`Cc: ${cc.map(address).join(', ')}`] : []),
    ...(n % 6 === 1 ? ['Reply-To: Support <support@shop.example.com>'] : []),
    `Subject: ${numbered(pick(SUBJECTS, n))}`,
    `Message-ID: <case-${n}@mail.example.test>`,
    ...(n % 9 === 2 ? [] : [`Date: ${pick(['Thu, 05 Mar 2026 10:20:30 +0100', 'Fri, 6 Mar 2026 23:00:00 -0500'], n)}`]),
    ...(n % 8 === 3
      ? [`List-Unsubscribe: <mailto:leave@shop.example.com>, <https://shop.example.com/leave?u=${n}>`]
      : []),
    ...(n % 8 === 3 ? ['List-Unsubscribe-Post: List-Unsubscribe=One-Click'] : []),
    'MIME-Version: 1.0',
  ];
  const body = bodyOf(n, numbered);
  return {
    raw: `${header.join('\r\n')}\r\n${body}`,
    envelope: { from: from[1], to: [...to, ...cc].map(([, email]) => email).concat(bcc) },
  };
}

function bodyOf(n: number, numbered: (text: string) => string): string {
  const text = part('text/plain; charset=utf-8', numbered(pick(TEXTS, n)));
  const html = part('text/html; charset=utf-8', numbered(n % 6 === 4 ? HTMLS[2] : pick(HTMLS, n)));
  const alternative = multipart(`alt${n}`, 'alternative', [text, html]);
  const file = attached(`report-${n % 10}.pdf`, 'application/pdf', 'attachment');
  switch (n % 6) {
    case 0:
      return text;
    case 1:
      return html;
    case 2:
      return alternative;
    case 3:
      return multipart(`mix${n}`, 'mixed', [
        text,
        file,
        ...(n % 4 === 3 ? [attached('notes.txt', 'text/plain', 'attachment')] : []),
      ]);
    case 4:
      return multipart(`rel${n}`, 'related', [html, attached('logo.png', 'image/png', 'inline', 'logo@shop')]);
    default:
      return multipart(`mix${n}`, 'mixed', [alternative, file]);
  }
}

function part(type: string, text: string): string {
  return `Content-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64(text)}\r\n`;
}

function attached(name: string, type: string, disposition: string, id?: string): string {
  const fields = [`Content-Type: ${type}; name="${name}"`, `Content-Disposition: ${disposition}; filename="${name}"`];
  if (id !== undefined) fields.push(`Content-ID: <${id}>`);
  return `${fields.join('\r\n')}\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64(`content of ${name}`)}\r\n`;
}

function multipart(boundary: string, type: string, parts: string[]): string {
  const body = parts.map((each) => `--${boundary}\r\n${each}`).join('');
  return `Content-Type: multipart/${type}; boundary="${boundary}"\r\n\r\n${body}--${boundary}--\r\n`;
}

function base64(text: string): string {
  return (
    Buffer.from(text)
      .toString('base64')
      .match(/.{1,76}/g) ?? []
  ).join('\r\n');
}
