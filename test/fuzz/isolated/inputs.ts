import fc from 'fast-check';
import { fieldNames, formOf } from '../../../src/contract/vocabulary/query/fields.js';
import type { CheckInput, ExtractInput } from '../../../src/core/ports.js';
import { payloads } from '../../support/inbox/payloads.js';
import { oddText } from '../http/json-arbitrary.js';
import { mutated } from '../mail/mutations.js';
import { seedMessages } from '../mail/seed-messages.js';
import type { FrameInput } from './frame-oracle.js';
import type { MailboxInput, SnapshotInput, TemplateInput } from './oracles.js';

/** Generates the inputs of oracles: texts of tokens with a meaning, in any order, some of them repeated. */

function soup(tokens: readonly string[], maxLength: number, ...others: fc.Arbitrary<string>[]): fc.Arbitrary<string> {
  const token = fc.constantFrom(...tokens);
  const part = fc.oneof(
    { arbitrary: token, weight: 12 },
    { arbitrary: fc.tuple(token, token).map(([a, b]) => a + b), weight: 2 },
    { arbitrary: fc.tuple(token, fc.integer({ min: 2, max: 90 })).map(([a, times]) => a.repeat(times)), weight: 1 },
    { arbitrary: fc.string({ unit: 'binary', maxLength: 8 }), weight: 1 },
    ...others.map((arbitrary) => ({ arbitrary, weight: 4 })),
  );
  return fc.array(part, { maxLength }).map((parts) => parts.join(''));
}

const CSS = [
  ...[
    '{',
    '}',
    '(',
    ')',
    '[',
    ']',
    '{}',
    '}}',
    ';',
    ':',
    ',',
    '!important',
    '"',
    "'",
    '/*',
    '*/',
    '\\',
    '\n',
    ' ',
    '<!--',
  ],
  ...[
    'a',
    'p',
    '.a',
    '#a',
    '*',
    '>',
    '~',
    '+',
    '|',
    '::before',
    ':not(',
    ':is(',
    '[href^="h"]',
    'a{b:c}',
    '{b:c;}',
    '-->',
  ],
  ...[
    '@media',
    '@media (prefers-color-scheme: dark){',
    '@import "https://h.example/x";',
    '@font-face{',
    '@supports',
    '@',
  ],
  ...[
    'color:',
    'color:#999',
    'background:url(',
    'background:#fff',
    'display:none',
    'font-size:0',
    'url(http://h.example/)',
  ],
  ...[
    'calc(',
    'rgb(',
    'rgba(1,2,3,.5)',
    'var(--x)',
    '--x:',
    '1px',
    '50%',
    '1e9',
    '-',
    '#fff',
    'U+26',
    '\\00003c',
    '\0',
    'x;',
  ],
  ...['url(cid:logo)', "url('//h.example/x')", '@namespace', 'and', '<', '</style', '\ud800', '\u212a'],
];

export const css = soup(CSS, 60);

const LONG_USER = fc.integer({ min: 1_900, max: 2_300 }).map((length) => `https://a:${'x'.repeat(length)}@e.test/`);

const url = fc.oneof(
  fc.constantFrom(
    ...[
      'https://a.example/',
      'http://b.example:81/x?y=1&amp;z',
      '//c.example/x',
      'cid:logo',
      'CID:%6cogo',
      'cid:',
      '#x',
      '',
    ],
    ...[
      'javascript:alert(1)',
      ' java\nscript:x',
      'data:text/html,<script>',
      'data:image/png;base64,AA==',
      'mailto:a@b.test',
    ],
    ...[
      'http://127.0.0.1:8025/t/o/1.x',
      'http://localhost:8025/',
      'http://[::1]:8025/x',
      'http://0x7f.1:8025/',
      'tel:1',
    ],
    ...[
      'https://a.example/t/c/1.abc',
      'http://a b/',
      'https://%',
      'https://xn--/',
      'http://é.example/',
      'https:/a',
      'vbscript:x',
    ],
    'https://a.example/reset?token=0123456789abcdef0123456789abcdef',
    'https://a.example/unsubscribe/%E0%A4%A',
  ),
  LONG_USER,
  soup(
    ['https://', 'http:', '//', '@', ':', '/', '?', '#', '&', '=', '%', '%2F', 'a.test', '[', ']', 'token', '\t', '..'],
    12,
  ),
);

const TAGS =
  'a p div span img table td tr b br style script svg math title iframe noscript template select option textarea xmp ' +
  'plaintext noembed noframes base meta link form input button video source object embed use image foreignobject ' +
  'animate set mi mglyph annotation-xml frameset body html head center font h1 li ul details x-y a:b';
const NAMES =
  'href src srcset style class id alt title width height background poster xlink:href onclick onerror action target rel ' +
  'http-equiv content name color bgcolor align hidden lang dir media formaction ping srcdoc fill type value data-x border';

const word = fc.constantFrom(
  ...['Hello', 'your', 'code', 'is', '123456', '12-34', 'G-417 883', 'A1B2C3', 'verification', 'Ihr', 'Code', 'lautet'],
  ...[
    '{{name}}',
    '{{ x',
    '}}',
    '%NAME%',
    '$' + '{x}',
    '[[y]]',
    '&amp;',
    '&lt;',
    '&#x26;',
    '&#0;',
    '&nbsp;',
    '&',
    '<',
    '>',
    '"',
  ],
  ...[
    'order',
    'reset',
    'password',
    '2026',
    '$99.00',
    'FREE!!!',
    '\u200b',
    '\u202e',
    'ä',
    '验证码',
    '確認コード',
    'код',
    '\n',
    '\t',
  ],
  ...[
    'https://a.example/verify?code=123456',
    'www.b.example',
    'a@b.test',
    '٣٤٥٦٧٨',
    '１２３４５６',
    '4 5 6 7 8 9',
    'PIN:',
    '=20',
  ],
);
const words = fc.array(fc.oneof({ arbitrary: word, weight: 9 }, { arbitrary: url, weight: 1 }), { maxLength: 12 });
const text = words.map((all) => all.join(' '));

const attribute = fc
  .tuple(
    fc.oneof({ arbitrary: fc.constantFrom(...NAMES.split(' ')), weight: 9 }, { arbitrary: oddText, weight: 1 }),
    fc.oneof(url, text, soup(CSS, 8)),
    fc.constantFrom('"', '"', "'", '', '`'),
  )
  .map(([name, value, quote]) => ` ${name.slice(0, 20)}=${quote}${value}${quote}`);
const tag = fc
  .tuple(
    fc.constantFrom('<', '<', '</', '<\0', '< '),
    fc.constantFrom(...TAGS.split(' ')),
    fc.array(attribute, { maxLength: 4 }).map((all) => all.join('')),
    fc.constantFrom('>', '>', '>', '/>', ''),
  )
  .map((parts) => parts.join(''));
const element = fc
  .tuple(fc.constantFrom('p', 'a', 'td', 'span', 'div', 'h1'), fc.array(attribute, { maxLength: 3 }), text)
  .map(([name, attributes, content]) => `<${name}${attributes.join('')}>${content}</${name}>`);
const sheet = css.map((content) => `<style>${content}</style>`);
const MARKUP = [
  ...[
    '<!--',
    '-->',
    '--!>',
    '<![CDATA[',
    ']]>',
    '<?x?>',
    '<!doctype html>',
    '<!DOCTYPE x PUBLIC "a" "b">',
    '</',
    '<!',
    '<!-->',
  ],
  ...[
    '<!--[if mso]>',
    '<![endif]-->',
    '<p>',
    '</p>',
    '<br>',
    '<table>',
    '</table>',
    '<svg>',
    '</svg>',
    '"',
    "'",
    '=',
    '/>',
  ],
];
const payload = fc
  .tuple(fc.constantFrom(...payloads()), fc.nat(), fc.nat())
  .map(([whole, from, to]) =>
    whole.slice(from % 5 === 0 ? from % whole.length : 0, to % 3 === 0 ? to % whole.length : undefined),
  );

const html = soup(MARKUP, 14, tag, element, sheet, payload);

export const checkInput: fc.Arbitrary<CheckInput> = fc.record({
  subject: fc.oneof(text, oddText),
  html,
  text,
  headers: fc.array(fc.tuple(fc.constantFrom('List-Unsubscribe', 'Subject', 'X-A'), fc.oneof(url, text)), {
    maxLength: 2,
  }),
  files: fc.array(fc.oneof(oddText, fc.constantFrom('invoice.pdf', 'a.exe')), { maxLength: 2 }),
});

const head = fc.oneof(
  mutated(seedMessages()).map((bytes) => new Uint8Array(bytes)),
  url.map((value) => new Uint8Array(Buffer.from(`List-Unsubscribe: <${value}>\r\nX-Code: 123456\r\n\r\n`))),
);

export const extractInput: fc.Arbitrary<ExtractInput> = fc.record({
  subject: fc.oneof(text, oddText),
  html,
  text: fc.oneof(
    text,
    words.map((all) => all.join('\n')),
  ),
  head: fc.option(head),
});

export const frameInput: fc.Arbitrary<FrameInput> = fc.record({
  html,
  remote: fc.boolean(),
  colorScheme: fc.constantFrom(undefined, 'light', 'dark'),
});

const mailboxText = soup(
  [
    ...[
      'From a@b.test Mon Jan  1 00:00:00 2024\n',
      'From - 12:00 2024\r\n',
      'From here on\n',
      '>From x\n',
      '>>From 1:00 2024\n',
    ],
    ...[
      'Subject: x\n',
      '\n',
      '\r\n',
      '\r',
      '\n\n',
      '\r\n\r\n',
      'text',
      '.',
      'From ',
      '>',
      '\0',
      '\u00ff',
      '12:00',
      '2024',
      ' ',
    ],
  ],
  50,
);

export const mailbox: fc.Arbitrary<MailboxInput> = fc.record({
  bytes: fc
    .oneof(
      mailboxText.map((content) => `From a@b.test Mon Jan  1 00:00:00 2024\n${content}`),
      mailboxText,
    )
    .map((content) => new Uint8Array(Buffer.from(content, 'latin1'))),
  cuts: fc.array(fc.nat(2_000), { maxLength: 12 }),
  maxBytes: fc.oneof(fc.integer({ min: 1, max: 400 }), fc.constant(1_000_000)),
});

const TEMPLATE = [
  ...[
    '{',
    '}',
    '{{',
    '}}',
    '{{{',
    '}}}',
    ' ',
    '_',
    'name',
    'order_1',
    '{{name}}',
    '{{ order_1 }}',
    '{{  name}}',
    '{{1a}}',
  ],
  ...[
    '$&',
    '$1',
    '$$',
    '<p>',
    '&',
    '"',
    "'",
    '{{constructor}}',
    '{{__proto__}}',
    '{{toString}}',
    '{{ä}}',
    '{{\tname}}',
    '\n',
  ],
];
const templateText = soup(TEMPLATE, 16);
const value = fc.oneof(templateText, oddText, fc.double(), fc.boolean(), fc.integer());

export const template: fc.Arbitrary<TemplateInput> = fc.record({
  template: fc.record({ subject: templateText, html: templateText, text: templateText }),
  variables: fc
    .tuple(
      fc.record({ name: value, order_1: value }, { requiredKeys: [] }),
      fc.dictionary(fc.constantFrom('constructor', '__proto__', 'toString', 'a', 'b'), value, {
        noNullPrototype: true,
      }),
    )
    .map(([named, others]) => ({ ...others, ...named })),
});

const QUERY = [
  ...fieldNames.flatMap((name) => [
    `${name}:`,
    formOf(name).example,
    ...(formOf(name).words ?? []).map((each) => `${name}:${each}`),
  ]),
  ...[
    ' ',
    ' ',
    ' ',
    '(',
    ')',
    '-',
    'OR',
    ' OR ',
    ' AND ',
    'NOT ',
    '"',
    '\\',
    '/',
    '*',
    ':',
    '=',
    '@',
    '<',
    '>',
    '😀',
    'ß',
    'İ',
    '%',
    '_',
  ],
  ...[
    'a',
    'ada',
    'order',
    'example.test',
    'user@example.test',
    '"order 1"',
    '/order \\d+/i',
    '/(a|b)*c/',
    '/[/',
    '/\\p{L}+/',
    '*.pdf',
  ],
  ...[
    '1MB',
    '10kB',
    '2h',
    '2026-03-01',
    '-1',
    'header:x-a',
    'header:Subject=',
    'to:*',
    'subject:/^$/',
    'text:""',
    '-is:read',
    '/(?i)x/',
  ],
];

export const query = soup(QUERY, 14);

/** Kinds of values that differ between two emails of the same template. */
const volatile = fc.constantFrom('id' as const, 'uuid' as const, 'time' as const, 'link' as const, 'code' as const);

/** Generates an email with gaps, filled with two sets of values. */
export const snapshot: fc.Arbitrary<SnapshotInput> = fc
  .tuple(
    fc.array(
      fc.oneof(
        html,
        fc.tuple(fc.constantFrom('p', 'td', 'span'), text, volatile).map(([name, content, kind]) => {
          return { before: `<${name} title="${kind}">${content} `, kind, after: `</${name}>` };
        }),
      ),
      { minLength: 1, maxLength: 5 },
    ),
    values(),
    values(),
  )
  .map(([parts, one, other]) => {
    const fill = (set: Values) => {
      const filled = parts.map((part) =>
        typeof part === 'string' ? part : `${part.before}${set[part.kind]}${part.after}`,
      );
      return { html: filled.join('\n'), text: filled.join('\n'), code: set.code };
    };
    return { first: fill(one), second: fill(other) };
  });

type Values = Record<'id' | 'uuid' | 'time' | 'link' | 'code', string>;

function values(): fc.Arbitrary<Values> {
  return fc.record({
    id: fc.stringMatching(/^msg_01[0-9a-hjkmnp-tv-z]{24}$/),
    uuid: fc.uuid(),
    time: fc
      .date({ noInvalidDate: true, min: new Date('2000-01-01'), max: new Date('2100-01-01') })
      .map((date) => date.toISOString()),
    link: fc
      .stringMatching(/^[0-9a-f]{32}$/)
      .map((token) => `<a href="https://a.example/verify?token=${token}&amp;x=1">https://a.example/${token}</a>`),
    code: fc.stringMatching(/^[1-9][0-9]{7}$/),
  });
}
