import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliveredHtml, fetchFromMail, PIXEL, python, TRACKED_LINK } from '../../support/mail/delivered.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

describe('tracking in any HTML', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp({ plan: 'none' });
  });

  afterAll(() => app.closeClean());

  async function deliver(html: string): Promise<string> {
    const body = { to: 'ada@example.test', from: 'shop@example.test', subject: 'Hi', html };
    const sent = await app.call('POST', '/v1/emails', body);
    expect(sent.status).toBe(201);
    return deliveredHtml(app, sent.json.data.id);
  }

  async function target(link: string): Promise<string> {
    const { status, headers } = await fetchFromMail(app, link, { method: 'HEAD' });
    expect(status).toBe(302);
    return headers.location ?? '';
  }

  /** Splits the HTML into the links and the text between them, without the pixel. */
  function splitLinks(html: string): { between: string[]; links: string[] } {
    const withoutPixel = html.replace(PIXEL, '');
    return { between: withoutPixel.split(TRACKED_LINK), links: withoutPixel.match(TRACKED_LINK) ?? [] };
  }

  // Each names its HTML and the links in it: `raw` is the text in the HTML, and `url` the URL that it means.
  const text = fc.constantFrom(
    '',
    ' ',
    'Hello',
    '<p>',
    '</p>',
    '<br/>',
    '\r\n',
    'é 日本 🎉',
    '&amp; &lt;a&gt;',
    '< a href>',
  );
  const untracked = fc.constantFrom(
    '<a href="mailto:ada@example.test">m</a>',
    '<a href="tel:+491234">t</a>',
    '<a href="#top">u</a>',
    '<a href="cid:logo@x">c</a>',
    '<a href="/relative?x=http://x.test/">r</a>',
    '<a href="//x.test/">p</a>',
    '<a href="javascript:void(0)">j</a>',
    '<a href="ftp://x.test/">f</a>',
    '<a href="http://">broken</a>',
    '<a href>none</a>',
    '<a name="http://x.test/">n</a>',
    '<a href="https://x.test/unsubscribe" data-svc-no-track>u</a>',
    '<a DATA-SVC-NO-TRACK="" href=https://x.test/unsubscribe>u</a>',
    '<img src="http://x.test/i.png">',
    '<link href="http://x.test/s.css">',
    '<!-- <a href="http://x.test/">c</a> -->',
    '<!--[if mso]><a href="http://x.test/">o</a><![endif]-->',
    '<script>"<a href=\'http://x.test/\'>"</script>',
    '<style>a:after{content:"<a href=http://x.test/>"}</style>',
    '<title><a href="http://x.test/">t</a></title>',
    '<textarea><a href="http://x.test/">t</a></textarea>',
    'http://x.test/ in text',
  );
  const quoting = fc.constantFrom(
    ['<a href="', '">a</a>'],
    ["<a href='", "'>a</a>"],
    ['<A\r\n\tclass="x>y" HREF = "', '" id=1>a</A>'],
    ['<area alt=x href="', '"/>'],
    ['<a title=\'href="http://no.test/"\' href="', '" href="http://second.test/">a</a>'],
    ['<a href=', ' target=_blank>a</a>'],
    ['<a href=', '>a</a>'],
  );
  const urls = fc.constantFrom(
    ['https://x.test/', 'https://x.test/'],
    ['HTTP://x.test/Path', 'HTTP://x.test/Path'],
    ['https://x.test/?a=1&amp;b=2', 'https://x.test/?a=1&b=2'],
    ['https://x.test/?a=1&b=2', 'https://x.test/?a=1&b=2'],
    ['https://x.test/?q=&quot;&#x41;&#66;', 'https://x.test/?q=%22AB'],
    ['https://x.test/?copy=1&copy;=2', 'https://x.test/?copy=1%C2%A9=2'],
    ['https://x.test/%20%C3%A9#frag-ment', 'https://x.test/%20%C3%A9#frag-ment'],
    ['https://bücher.test/é', 'https://xn--bcher-kva.test/%C3%A9'],
    ['https://user:pw@x.test:8443/p;m=1?x=[1]', 'https://user:pw@x.test:8443/p;m=1?x=[1]'],
    ['https:x.test', 'https:x.test'],
  );
  const link = fc.tuple(quoting, urls).map(([[before = '', after = ''], [raw = '', url = '']]) => ({
    html: before + raw + after,
    links: [{ raw, url }],
  }));
  const plain = fc.oneof(text, untracked).map((html) => ({ html, links: [] as { raw: string; url: string }[] }));
  const documents = fc
    .tuple(
      fc.constantFrom(
        ['', ''],
        ['<body>', '</body>'],
        ['<!doctype html><html>\n<body bgcolor=#fff>', '</BODY >\n</html>\n'],
      ),
      fc.array(fc.oneof(link, plain), { maxLength: 12 }),
    )
    .map(([[before = '', after = ''], pieces]) => ({
      html: before + pieces.map(({ html }) => html).join('') + after,
      links: pieces.flatMap(({ links }) => links),
      end: after,
    }))
    .filter(({ html }) => /[^\s\p{Cc}\p{Cf}]/u.test(html));

  it('leads every link, and only links, to its exact original target, and changes no other byte', async () => {
    await fc.assert(
      fc.asyncProperty(documents, async ({ html, links, end }) => {
        const delivered = await deliver(html);
        const found = splitLinks(delivered);
        expect(await Promise.all(found.links.map(target))).toEqual(links.map(({ url }) => url));
        const restored = found.between.map((part, place) => part + (links[place]?.raw ?? '')).join('');
        expect(restored).toBe(html);
        const pixel = PIXEL.exec(delivered);
        expect(delivered.slice((pixel?.index ?? 0) + (pixel?.[0].length ?? 0))).toBe(end);
      }),
      { numRuns: 150 },
    );
  });

  it('works in text that is hardly HTML', async () => {
    const scraps = fc.constantFrom(
      ...[
        '<a ',
        '<area',
        'href=',
        'href',
        ' HREF="',
        '"',
        "'",
        '>',
        '/>',
        '</a>',
        '<',
        '</',
        '<!--',
        '-->',
        '<!',
        '<?',
      ],
      ...[
        'http://x.test/',
        'https://y.test/?a=1&amp;b=2',
        ' ',
        '\n',
        '\r\n',
        '\r',
        '\t',
        '&',
        '&amp;',
        '=',
        '/',
        'é',
        '🎉',
      ],
      ...['<script>', '</script>', '<style ', '</style>', '<title>', '</title>', '<svg>', '<![CDATA[', ']]>', '\ufeff'],
      ...[
        '</body>',
        '<body ',
        '<template>',
        '<noscript>',
        '<select>',
        '<table>',
        '<plaintext>',
        '\u0000',
        'data-svc-no-track',
      ],
    );
    const soup = fc
      .array(scraps, { minLength: 1, maxLength: 40 })
      .map((parts) => parts.join(''))
      .filter((html) => /[^\s\p{Cc}\p{Cf}]/u.test(html));
    await fc.assert(
      fc.asyncProperty(soup, async (html) => {
        const { between, links } = splitLinks(await deliver(html));
        // Restored from front to back: each part must be found, and each gap must equal the link's target.
        let at = 0;
        for (const [place, part] of between.entries()) {
          const last = place === between.length - 1;
          const next = last ? html.length - part.length : html.indexOf(part, at);
          const link = links[place - 1];
          if (link !== undefined && !last && part.length < 2) return;
          expect(html.slice(next, next + part.length)).toBe(part);
          if (link === undefined) expect(next).toBe(at);
          else {
            const value = html
              .slice(at, next)
              .replaceAll('&amp;', '&')
              .replace(/[\t\r\n\0]/g, '')
              .trim();
            expect(new URL(await target(link)).href).toBe(new URL(value).href);
          }
          at = next + part.length;
        }
        expect(at).toBe(html.length);
      }),
      { numRuns: 150 },
    );
  });

  it('gives another HTML parser the same links', async () => {
    const html = [
      '<!DOCTYPE html><html><head><title>Order</title><style>a{color:red}</style></head>',
      '<body><table><tr><td><a class=button href="https://shop.test/a?b=1&amp;c=&eacute;">Buy</a></td></tr></table>',
      "<map><area shape=rect coords=0,0,9,9 HREF='http://shop.test/map?x=%20&y=2'></map>",
      '<a href="mailto:help@shop.test?subject=Hi">Help</a> <a href=#top>Top</a>',
      '<a href=https://shop.test/last/>Last</a></body></html>',
    ].join('\n');
    const before = await python<string[]>('html_links.py', html);
    const after = await python<string[]>('html_links.py', await deliver(html));

    expect(after).toHaveLength(before.length);
    for (const [place, href] of after.entries()) {
      const original = before[place] ?? '';
      const leadsTo = href.includes('/t/c/') ? await target(href) : href;
      expect(leadsTo).toBe(original.startsWith('http') ? new URL(original).href : original);
    }
    expect(after.filter((href) => href.includes('/t/c/'))).toHaveLength(3);
  });
});
