import { describe, expect, it, vi } from 'vitest';
import { extract } from '../../../src/mime/extract/extract.js';
import { readHeaders } from '../../../src/mime/extract/headers.js';
import { LINKS_MAX } from '../../../src/mime/limits.js';

const found = (fields: { subject?: string; html?: string; text?: string }) =>
  extract({ subject: '', html: '', text: '', head: null, ...fields });
const SIZE = 500_000;
const repeated = (text: string) => text.repeat(SIZE / text.length);

describe('the extraction from a message', () => {
  // Each took from minutes to days if its time grew with the square of the size.
  it.each([
    ['numbers', { text: repeated('123456 ') }],
    ['codes that are named', { text: repeated('code: 123456\n\n') }],
    ['single digits', { text: repeated('1\n') }],
    ['addresses', { text: repeated('a@') }],
    ['brackets after a URL', { text: `http://a.test/${repeated(')')}` }],
    ['a link of many elements', { html: `<a href="https://a.test/">${repeated('<b>a</b>')}` }],
    ['nested hidden elements', { html: `<div hidden>${repeated('<div>')}` }],
    ['attributes', { html: `<a ${repeated('a=1 ')}>` }],
    ['numbers below a request', { text: `Log in and enter the number:\n${repeated('123456\n')}` }],
    ['rows of a table', { html: `<table>${repeated('<tr><td>Verification code</td><td>123456</td></tr>')}` }],
    ['announced words', { text: repeated('code: qxzvb\n') }],
    ['names of codes', { text: repeated('this following code ') }],
    ['labels of elements', { html: repeated('<p aria-label="code 123456">') }],
    ['a subject', { subject: repeated('code 1234 ') }],
  ])('ends in linear time: %s', (_, fields) => {
    expect(found(fields).links.length).toBeLessThan(LINKS_MAX);
  });

  it('lists a limited number of links, and reports that there are more', () => {
    const link = (n: number) => `<a href="https://a.test/${n}">x</a>`;
    const html = Array.from({ length: LINKS_MAX }, (_, n) => link(n)).join('');
    expect(found({ html })).toMatchObject({ cut: false, links: { length: LINKS_MAX } });
    expect(found({ html: html + link(-1) })).toMatchObject({ cut: true, links: { length: LINKS_MAX } });
  });

  it('reads a URL whose host is behind the characters that are read', () => {
    const long = `https://a:${'x'.repeat(2_100)}@e.test/`;
    const next = { text: 'Verify your email', href: 'https://a.test/verify?token=a1b2c3d4e5f6', kind: 'verify' };
    const html = `<a href="${long}">x</a><a href="${next.href}">${next.text}</a>`;
    expect(found({ html }).links).toEqual([{ text: 'x', href: long, kind: 'other' }, next]);
    expect(found({ text: `${long}\n` }).links).toEqual([{ text: long, href: long, kind: 'other' }]);
  });

  it('finds the other links of an email if one causes an error', () => {
    const { get } = Object.getOwnPropertyDescriptor(URL.prototype, 'searchParams') ?? {};
    vi.spyOn(URL.prototype, 'searchParams', 'get').mockImplementation(function (this: unknown) {
      const url = this as URL;
      if (url.host === 'bad.test') throw new TypeError('a bug');
      return get?.call(url) as URLSearchParams;
    });
    const html = '<a href="https://bad.test/verify">Open</a><a href="https://a.test/">Home</a>';
    expect(found({ html })).toMatchObject({
      links: [{ href: 'https://bad.test/verify', kind: 'other' }, { href: 'https://a.test/' }],
      failure: 'TypeError: a bug',
    });
    vi.restoreAllMocks();
  });

  it('leaves out what a mail client does not show', () => {
    const html =
      '<title>code 111111</title><style>.a{color:#222222}</style><!-- code 333333 --><p hidden>code 444444</p>' +
      '<div style="display: none">code 555555</div><p>Your code: 666666</p><script>code 777777</script>';
    const { htmlText, codes } = found({ html });
    expect(htmlText).toBe('Your code: 666666');
    expect(codes.map(({ value }) => value)).toEqual(['666666']);
  });

  it('searches the preview and labels for a code if the rest has none', () => {
    const html = '<div style="display:none">Your code is 111111</div><p aria-label="Code 222222">Enter your code</p>';
    expect(
      found({ html })
        .codes.map(({ value }) => value)
        .sort(),
    ).toEqual(['111111', '222222']);
    expect(found({ html, text: 'Your code is 333333' }).codes.map(({ value }) => value)).toEqual(['333333']);
  });

  it('shows lines, cells and images of HTML as text', () => {
    const html = '<h1>A</h1><p>b<br>c</p><table><tr><td>d</td><td>e</td></tr></table><img alt="f">&nbsp;g\u200b';
    expect(found({ html }).htmlText).toBe('A\n\nb\nc\n\nd e\n\nf g');
  });
});

describe('the header fields of a message', () => {
  const fields = (head: string) => readHeaders(Buffer.from(head, 'latin1')).map(([name, value]) => [name, value]);

  it('are unfolded and decoded, in their order, with repeated ones', () => {
    const head =
      'Received: from a\r\n by b\r\nSUBJECT: =?UTF-8?B?WsO8cg==?= =?utf-8?q?ich_=26?= x\r\nReceived: c\r\n\r\nBody: no\r\n';
    expect(fields(head)).toEqual([
      ['Received', 'from a by b'],
      ['SUBJECT', 'Zürich & x'],
      ['Received', 'c'],
    ]);
  });

  it('keep a character that is split between two encoded words', () => {
    expect(fields('a: =?utf-8?q?=C3?= =?utf-8?q?=BC?=\r\n')).toEqual([['a', 'ü']]);
  });

  it.each([
    ['Latin-1 without encoding', 'a: Z\xfcrich\r\n', 'Zürich'],
    ['UTF-8 without encoding', Buffer.from('a: Zürich\r\n').toString('latin1'), 'Zürich'],
    ['another charset', 'a: =?iso-2022-jp?B?GyRCRnxLXBsoQg==?=\r\n', '日本'],
    ['an unknown charset', 'a: =?x-none?q?hi?=\r\n', 'hi'],
    ['a broken encoded word', 'a: =?utf-8?q?hi\r\n', '=?utf-8?q?hi'],
  ])('are read: %s', (_, head, value) => {
    expect(fields(head)).toEqual([['a', value]]);
  });

  it('skip lines that are no fields', () => {
    expect(fields('no field\r\na b: c\r\n: d\r\nx: y\nz: w')).toEqual([
      ['x', 'y'],
      ['z', 'w'],
    ]);
  });
});
