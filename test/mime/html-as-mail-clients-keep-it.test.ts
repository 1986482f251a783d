import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ClientViewId, clientViews } from '../../src/contract/vocabulary/client-views.js';
import { clientRules, IMAGES_OFF } from '../../src/mime/views/client-rules.js';
import { viewAsClient } from '../../src/mime/views/client-view.js';
import { ROOT } from '../support/cli/binary.js';

interface Fixture {
  html: string;
  /** The line of the difference. */
  line: number;
  /** What the view has, and what it does not have. */
  has?: string;
  lacks?: string;
  dark?: boolean;
}

const style = (css: string, body = '<p>Hi</p>') =>
  `<html><head>\n<style>${css}</style>\n</head><body>${body}</body></html>`;

const ofEveryClient: Record<string, Fixture> = {
  'active-content': { html: '<p>a</p>\n<script>bad()</script><p>b</p>', line: 2, has: '<p>b</p>', lacks: 'bad' },
};
const ofGmail: Record<string, Fixture> = {
  ...ofEveryClient,
  clipped: {
    html: `<table><tr><td>${'<b>0123456789</b>\n'.repeat(6_000)}</td></tr></table><p>Unsubscribe</p>`,
    line: 5802,
    has: '</td></tr></table><div',
    lacks: 'Unsubscribe',
  },
  'style-size': { html: style(`p{color:red}${' '.repeat(16_384)}`), line: 2, lacks: '<style>' },
  'style-place': { html: '<body><p>Hi</p>\n<style>p{color:red}</style></body>', line: 2, lacks: '<style>' },
  'nested-at-rule': {
    html: style('@media screen{\n@supports (color:red){p{color:red}}}p{margin:0}'),
    line: 3,
    lacks: '<style>',
  },
  'rgb-with-spaces': { html: '<p\nstyle="color:rgb(0 128 0);margin:0">Hi</p>', line: 2, lacks: 'style' },
  'media-height': {
    html: style('p{margin:0}\n@media (max-height:400px){p{color:red}}'),
    line: 3,
    has: 'margin',
    lacks: '@media',
  },
  'attribute-selector': {
    html: style('p[title],\nb[class~=x]{color:red}'),
    line: 2,
    has: '<style>b[class~=x]{',
    lacks: 'title',
  },
  'negative-margin': { html: '<p style="margin:0 -4px;color:red">', line: 1, has: 'style="color:red"' },
  'negative-indent': { html: '<p style="text-indent:-4px;color:red">', line: 1, has: 'style="color:red"' },
  'list-style-image': {
    html: '<ul style="list-style:square url(a.png);color:red">',
    line: 1,
    has: 'style="color:red"',
  },
  'semantic-elements': { html: '<main>\n<nav><b>Hi</b></nav></main>', line: 1, has: '\n<b>Hi</b>', lacks: 'main' },
};
const yahooMedia = style('p{margin:0}\n@media (min-width:1px),print{p{color:red}}b{color:red}');
const fixtures: Record<ClientViewId, Record<string, Fixture>> = {
  gmail: ofGmail,
  'gmail.android': ofGmail,
  'gmail.ios': ofGmail,
  outlook: {
    ...ofEveryClient,
    prefix: { html: style('\n.a.b{color:red}', '<p class="a b">'), line: 3, has: '.x_a.b{', lacks: '.x_b' },
    'after-braces': { html: style('@media screen{p{color:red}}\nb{margin:0}'), line: 2, has: 'color', lacks: 'margin' },
    'attribute-selector': { html: style('\n.a[title]{color:red}'), line: 3, lacks: 'red' },
    'negative-margin': { html: '<p style="margin:-1px">', line: 1, lacks: 'style' },
    position: { html: '<p style="position:absolute">', line: 1, lacks: 'style' },
  },
  'outlook.windows': {
    ...ofEveryClient,
    'conditional-comments': { html: '<p>Hi</p>\n<!--[if mso]><p style="float:left">Word</p><![endif]-->', line: 2 },
  },
  'apple-mail': {
    ...ofEveryClient,
    'white-in-dark': { html: '\n<td bgcolor="#ffffff">', line: 2, has: 'bgcolor="#ffffff"', dark: true },
  },
  yahoo: {
    ...ofEveryClient,
    'after-comment': { html: style('p{margin:0}/* b */\nb{color:red}'), line: 3, has: 'margin', lacks: 'red' },
    'media-list': { html: yahooMedia, line: 3, has: 'margin', lacks: 'red' },
    height: { html: '<p style="height:4px">', line: 1, has: 'style="min-height:4px"' },
    'background-without-quotes': {
      html: '<p style="background:url(a.png);color:red">',
      line: 1,
      has: 'style="color:red"',
    },
    'negative-margin': { html: '<p style="margin:-1px">', line: 1, lacks: 'style' },
    position: { html: '<p style="position:fixed">', line: 1, lacks: 'style' },
    'attribute-selector': {
      html: style('p[title^=a]{color:red}p[title=a]{margin:0}'),
      line: 2,
      has: 'margin',
      lacks: 'red',
    },
  },
};
/** Rules without a visible effect, which are not listed. */
const UNLISTED = new Set(['gmail prefix', 'gmail.android prefix', 'gmail.ios prefix', 'yahoo prefix']);

const view = (client: ClientViewId, html: string, { dark = false, images = true, subject = '' } = {}) =>
  viewAsClient({ html, subject, client, isDark: dark, hasImages: images });

describe.each(clientViews)('the view of $title', ({ name: client, hasPicture }) => {
  const { rules } = clientRules[client];

  it.each(rules.filter(({ id }) => !UNLISTED.has(`${client} ${id}`)).map(({ id }) => id))('applies %s', (id) => {
    const fixture = fixtures[client][id];
    if (!fixture) throw new Error(`no fixture of ${id}`);

    const { html, differences } = view(client, fixture.html, fixture);

    const difference = differences.find(({ rule }) => rule === id);
    expect(difference).toMatchObject({ source: rules.find((rule) => rule.id === id)?.source });
    expect(difference?.where[0]?.line).toBe(fixture.line);
    if (!hasPicture) expect(html).toBeNull();
    if (fixture.has !== undefined) expect(hasPicture ? html : fixture.has).toContain(fixture.has);
    if (fixture.lacks !== undefined) expect(html ?? '').not.toContain(fixture.lacks);
  });

  it('has a public source for each rule', () => {
    const { dark, subject, preview } = clientRules[client];

    for (const { source } of [...rules, dark, subject, preview, IMAGES_OFF]) expect(source).toMatch(/^https:\/\/\S+$/);
  });

  it('leaves a plain email as it is', () => {
    const plain = '<!doctype html>\n<p>Hello &amp; goodbye</p>\n<!-- end --><a href="https://a.example">Go</a>\n';

    expect(view(client, plain)).toMatchObject({ html: hasPicture ? plain : null, differences: [], clipped: false });
  });
});

describe('features of caniemail.com', () => {
  const html = style(
    '\n.card{box-shadow:0 0 1px red;color:red}\n@media (prefers-color-scheme:dark){.card{color:white}}\np:nth-child(2),p{margin:0}',
    '\n<video><b>fallback</b></video>\n<svg><rect/></svg><p hidden>Hi</p>',
  );

  it('are removed where a client does not support them', () => {
    const { html: kept, differences } = view('gmail', html);

    expect(kept).toContain('.m_card{color:red}\n\np{margin:0}');
    expect(kept).toContain('<body>\n<b>fallback</b>\n<p >Hi</p>');
    const lines = differences
      .filter(({ effect }) => effect === 'removed')
      .map(({ rule, where }) => [rule, where[0]?.line]);
    expect(lines).toEqual([
      ['css-box-shadow', 3],
      ['css-at-media-prefers-color-scheme', 4],
      ['css-pseudo-class-nth-child', 5],
      ['html-video', 7],
      ['html-svg', 8],
      ['html-hidden', 8],
    ]);
    expect(differences[0]).toMatchObject({ source: 'https://www.caniemail.com/features/css-box-shadow/', count: 1 });
  });

  it('stay where a client supports them', () => {
    expect(view('apple-mail', html).html).toBe(html);
  });

  it('are listed and not removed for classic Outlook, also in its comments', () => {
    const { differences } = view('outlook.windows', '<!--[if gte mso 9]>\n<p style="float:left">a</p><![endif]-->');
    const others = view('outlook.windows', '<!--[if !mso]><!-->\n<p style="float:left">a</p><!--<![endif]-->');
    const revealed = view('outlook.windows', '<![if !mso]>\n<p style="float:left">a</p><![endif]>');

    expect(differences.map(({ rule, effect }) => [rule, effect])).toEqual([
      ['conditional-comments', 'changed'],
      ['css-float', 'ignored'],
    ]);
    expect(others.differences.map(({ rule }) => rule)).toEqual(['conditional-comments']);
    expect(revealed.differences.map(({ rule }) => rule)).toEqual(['conditional-comments']);
  });

  it.each([
    ['mso', true],
    ['mso 12', false],
    ['mso 16', true],
    ['gte mso 9', true],
    ['gt mso 16', false],
    ['lte mso 15', false],
    ['!mso', false],
    ['(gte mso 9)|(IE)', true],
    ['(mso)&(!(IE))', true],
    ['!vml', false],
    ['IE', false],
    ['!IE', true],
    ['IE|mso&(IE|!mso)', false],
  ])('are listed for classic Outlook in a comment with the condition %s: %s', (condition, isRead) => {
    const { differences } = view('outlook.windows', `<!--[if ${condition}]><p style="float:left">a</p><![endif]-->`);

    expect(differences.some(({ rule }) => rule === 'css-float')).toBe(isRead);
  });
});

describe('dark mode', () => {
  const html = readFileSync(join(ROOT, 'test/fixtures/views/dark-mode-fault.html'), 'utf8');
  const dark = (client: ClientViewId) => view(client, html, { dark: true }).html ?? '';

  it('stays light in Gmail on the web', () => {
    expect(dark('gmail')).toContain('color-scheme:only light');
    expect(dark('gmail')).toContain('background-color:#ffffff');
    expect(dark('gmail')).not.toContain('prefers-color-scheme');
  });

  it('darkens light backgrounds in Outlook, keeps dark ones, and marks what it changed', () => {
    expect(dark('outlook')).toMatch(/<table data-ogsb class="x_card"[^>]* style="background-color:#333333/);
    expect(dark('outlook')).toContain('background:#1b2a49;color:#ffffff');
    expect(dark('outlook')).toContain('.x_lead { color: #eeeeee !important; }');
  });

  it('marks in Outlook only what it changed', () => {
    const { html: marked } = view('outlook', '<p style="background:#fff">a</p><p style="color:#222">b</p>', {
      dark: true,
    });

    expect(marked).toMatch(/<p data-ogsb style="background:#\w+">a<\/p><p data-ogsc style="color:#\w+">b/);
  });

  it.each(['<main>a</main>', '<!doctype html><main>a</main>', '<link rel="stylesheet" href="a.css"><p>a</p>'])(
    'has a dark page if the view removes the first tag of %s',
    (start) => {
      const { html: shown } = view('gmail.android', start, { dark: true });

      expect(shown).toContain(':where(body){background:#1f1f1f');
      expect(shown).not.toMatch(/<main|<link/);
    },
  );

  it('inverts dark backgrounds too in Gmail on iOS', () => {
    expect(dark('gmail.ios')).toMatch(/background:#c[0-9a-f]{5};color:#1f1f1f/);
    expect(dark('gmail.android')).toContain('background:#1b2a49;color:#ffffff');
  });

  it('applies the styles of the email in Apple Mail, and keeps its colors', () => {
    expect(dark('apple-mail').replace(/<style>:where.*?<\/style>/, '')).toBe(html);
  });

  it('names each color and its line', () => {
    const difference = view('yahoo', html, { dark: true }).differences.find(({ rule }) => rule === 'dark-mode-partial');

    expect(difference?.where.map(({ line, note }) => [line, note])).toContainEqual([19, '#ffffff becomes #1d1d1d']);
  });
});

it('shows the alt text of blocked images, and no background images', () => {
  const html = '<img src="https://a.example/a.png" alt="Logo">\n<p style="background:url(\'a.png\');color:red">';

  const { html: kept, differences } = view('outlook', html, { images: false });

  expect(kept).toBe('<img  alt="Logo">\n<p style="color:red">');
  expect(differences).toMatchObject([{ rule: 'images-off', count: 1 }]);
});

it('cuts the subject and the text after it', () => {
  const long = 'word '.repeat(100);

  const { subject, preview } = view('gmail.ios', `<title>No</title><div style="display:none">${long}</div>`, {
    subject: long,
  });

  expect(subject).toBe(`${'word '.repeat(8).trim()}…`);
  expect(preview).toBe(`${'word '.repeat(18).trim()}…`);
});

it('separates the words of blocks in the text after the subject, and not those of one word', () => {
  const html = '<h1>Hello A<b>da</b></h1><p>Order 1</p><table><tr><td>A</td><td>B</td></tr></table>line<br>two';

  expect(view('gmail', html).preview).toBe('Hello Ada Order 1 A B line two');
});

it('reads a long text of unclosed comments for Outlook in linear time', () => {
  const html = '<!--[if '.repeat(300_000);

  expect(view('outlook.windows', html).differences).toEqual([]);
});
