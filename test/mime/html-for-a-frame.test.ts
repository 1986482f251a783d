import { describe, expect, it } from 'vitest';
import { frameHtml } from '../../src/mime/frame/frame-html.js';
import { payloads } from '../support/inbox/payloads.js';

const CID = '/inbox/content/logo?signature=x';

function rewritten(html: string, remote = false): string {
  const { parts, links } = frameHtml(html, {
    remote,
    contentUrls: new Map([['logo', CID]]),
    ownHosts: ['127.0.0.1:8025', 'localhost:8025'],
  });
  return parts.map((part, index) => part + (links[index] === undefined ? '' : `[${links[index]}]`)).join('');
}

/** Everything that a browser may read as the start of a tag, wherever it is. */
const tagsIn = (html: string) => [...html.matchAll(/<(\/?[a-z!?][^\s>/]*)/gi)].map(([, name = '']) => name);

describe('HTML for a frame', () => {
  it('has no tag that runs, loads, submits or redirects, however a browser reads it', () => {
    const forbidden =
      /^\/?(script|link|base|iframe|frame|frameset|object|embed|applet|portal|fencedframe|noscript|title|xmp|plaintext|noembed|noframes|animate|set)$/i;
    for (const payload of payloads()) {
      const html = rewritten(payload);
      expect({ payload, tags: tagsIn(html).filter((name) => forbidden.test(name)) }).toEqual({ payload, tags: [] });
      expect(html, payload).not.toMatch(/<[a-z][^>]*\s(on\w+|srcdoc|http-equiv|action|formaction|ping)=/i);
      expect(html, payload).not.toMatch(/<[a-z][^>]*\s(src|srcset|poster|background|xlink:href)="[^"]*HOST/i);
    }
  });

  it.each([
    [
      'keeps the document type',
      '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0" "x">',
      '<!doctype html public "-//W3C//DTD XHTML 1.0" "x">',
    ],
    ['keeps text and entities', '<p title="a&quot;b">1 &lt; 2 &amp; 3</p>', '<p title="a&quot;b">1 &lt; 2 &amp; 3</p>'],
    [
      'keeps styles',
      '<style>@media (width<600px){p{color:red}}</style>',
      '<style>@media (width<600px){p{color:red}}</style>',
    ],
    ['removes marks around styles', '<style><!-- p{} --></style>', '<style> p{} </style>'],
    [
      'separates what may be a tag in styles',
      '<style>p{content:"<img src=x>"}</style>',
      '<style>p{content:"< img src=x>"}</style>',
    ],
    [
      'replaces links',
      '<a href=" https://a.example/?x=1&amp;y=2 " target=_top>x</a>',
      '<a href="[https://a.example/?x=1&y=2]" target="_blank" rel="noopener noreferrer">x</a>',
    ],
    ['keeps links within the email', '<a href="#part">x</a>', '<a href="#part">x</a>'],
    ['removes other links', '<a href="javascript:x">x</a><a href="/x">y</a>', '<a>x</a><a>y</a>'],
    [
      'shows inline images',
      '<img src="cid:logo"><td background=CID:logo>',
      `<img src="${CID}"><td background="${CID}">`,
    ],
    [
      'leaves out images of other servers',
      '<img src="http://a.example/x" alt="Logo">',
      '<img src="data:," alt="Logo">',
    ],
    ['keeps what scripts would replace', '<noscript><b>x</b></noscript>', '<b>x</b>'],
    ['ends at the end of an unfinished tag', '<p>x<img src="', '<p>x'],
    ['closes no style that does not end', '<style>p{}', '<style>p{}'],
  ])('%s', (_, html, expected) => {
    expect(rewritten(html)).toBe(expected);
  });

  it.each([
    ['images', '<img src="https://a.example/x">', '<img src="https://a.example/x">'],
    ['addresses without a scheme', '<img src="//a.example/x">', '<img src="https://a.example/x">'],
    [
      'style sheets',
      '<link rel="stylesheet" href="https://a.example/x.css">',
      '<link rel="stylesheet" href="https://a.example/x.css">',
    ],
    ['sizes of images', '<img srcset="https://a.example/1 1x, /2 2x">', '<img srcset="https://a.example/1 1x">'],
    ['no connections ahead of time', '<link rel="preconnect" href="https://a.example">', ''],
    [
      'nothing of this server',
      '<img src="http://localhost:8025/x"><img src="/x">',
      '<img src="data:,"><img src="data:,">',
    ],
    [
      'no tracking pixel',
      '<img src="https://t.example/t/o/1.x.0~y.gif"><p style="background:url(http://t.example/t/o/1.x.0~y.gif)">',
      '<img src="data:,"><p style="background:url(data:,)">',
    ],
  ])('has with remote content: %s', (_, html, expected) => {
    expect(rewritten(html, true)).toBe(expected);
  });

  it('names the hosts without TLS that it loads from', () => {
    const { hosts } = frameHtml('<img src="http://a.example:8080/x"><p style="background:url(http://b.example/y)">', {
      remote: true,
      contentUrls: new Map(),
      ownHosts: ['b.example'],
    });
    expect(hosts).toEqual(['http://a.example:8080']);
  });
});
