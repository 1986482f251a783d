import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type InboxApp, openSession, read, startInboxApp } from '../../support/inbox/inbox-app.js';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const HTML = `<!doctype html><body>
<a href="https://shop.example/reset?a=1&amp;b=2">Reset</a>
<a href="javascript:alert(1)">Run</a>
<img src="http://images.example:8080/banner.png" alt="Banner">
<script>document.title = 'run'</script>
</body>`;

let app: InboxApp;
let page: Record<string, string>;
let id: string;
// biome-ignore lint/suspicious/noExplicitAny: as `read` returns it
let urls: any;

beforeAll(async () => {
  app = await startInboxApp();
  const { json } = await app.call('POST', '/v1/emails', {
    to: ['ada@example.test', 'bob@example.test'],
    from: 'shop@example.test',
    subject: 'Reset',
    html: HTML,
    attachments: [
      { filename: 'logo.png', content: PNG.toString('base64'), contentType: 'image/png' },
      {
        filename: 'page.html',
        content: Buffer.from('<script>alert(1)</script>').toString('base64'),
        contentType: 'text/html',
      },
      {
        filename: 'art.svg',
        content: Buffer.from('<svg onload="alert(1)"/>').toString('base64'),
        contentType: 'image/svg+xml',
      },
    ],
  });
  id = json.data.id;
  page = await openSession(app.origin);
  urls = await read(app.origin, `/_svc/inbox/emails/${id}/urls`, page);
});
afterAll(() => app.closeClean());

async function get(url: string) {
  const response = await fetch(new URL(url, app.origin), { redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const eventTypes = async () => (await app.read(`/_svc/emails/${id}`)).events.map(({ type }: { type: string }) => type);

describe('the HTML in a frame', () => {
  it('has a policy without scripts, with an origin of its own and without other servers', async () => {
    const { status, headers } = await get(urls.html);
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')?.split('; ')).toEqual([
      "default-src 'none'",
      "style-src 'unsafe-inline'",
      `img-src data: ${app.origin}/inbox/content/`,
      'font-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'self'",
      'sandbox allow-popups allow-popups-to-escape-sandbox',
    ]);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-dns-prefetch-control')).toBe('off');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('has images of other servers only if they are allowed', async () => {
    const [blocked, allowed] = await Promise.all([get(urls.html), get(urls.html_remote)]);
    expect(blocked.text).not.toContain('images.example');
    expect(allowed.text).toContain('src="http://images.example:8080/banner.png"');
    const policy = allowed.headers.get('content-security-policy');
    expect(policy).toContain(`img-src data: ${app.origin}/inbox/content/ https: http://images.example:8080;`);
    expect(policy).not.toMatch(/(?: http:[ ;])|unsafe-eval|script-src/);
    expect(policy).toContain('sandbox allow-popups');
  });

  it('leaves out scripts and links that run them', async () => {
    const { text } = await get(urls.html);
    expect(text).not.toMatch(/script/i);
    expect(text).toContain('<a>Run</a>');
  });

  it('records no open and no click of a delivered copy', async () => {
    expect(urls.delivered.map(({ address }: { address: string }) => address)).toEqual([
      'ada@example.test',
      'bob@example.test',
    ]);
    const before = await eventTypes();
    for (const { html, html_remote } of urls.delivered) {
      for (const url of [html, html_remote]) {
        const { text } = await get(url);
        expect(text).not.toContain('/t/o/');
        expect(text).not.toMatch(/(?:src|href)="[^"]*\/t\/c\//);
        const [, leave = ''] = /href="(\/inbox\/leave\?[^"]+)"/.exec(text) ?? [];
        expect((await get(leave.replaceAll('&amp;', '&'))).text).toContain('https://shop.example/reset?a=1&amp;b=2');
      }
    }
    expect(await eventTypes()).toEqual(before);
  });
});

describe('the page before a link', () => {
  it('shows the target, and opens it without a referrer or a handle of this page', async () => {
    const [, leave = ''] = /href="(\/inbox\/leave\?[^"]+)"/.exec((await get(urls.html)).text) ?? [];
    const { status, text, headers } = await get(leave.replaceAll('&amp;', '&'));
    expect(status).toBe(200);
    expect(text).toContain('<strong>shop.example</strong>');
    expect(text).toContain('href="https://shop.example/reset?a=1&amp;b=2" rel="noopener noreferrer"');
    expect(text).not.toContain('<script');
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; img-src data:; style-src 'nonce-/);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('does not open addresses that this server did not sign', async () => {
    for (const url of [
      '/inbox/leave',
      '/inbox/leave?to=https://evil.example',
      '/inbox/leave?to=https://evil.example&expires=never&signature=x',
    ]) {
      const { status, text } = await get(url);
      expect(status).toBe(403);
      expect(text).not.toContain('evil.example');
    }
  });
});

describe('an attachment', () => {
  it('is a download with a name that svc chooses', async () => {
    const answers = await Promise.all(urls.attachments.map(({ download }: { download: string }) => get(download)));
    expect(answers.map(({ headers }) => headers.get('content-disposition'))).toEqual([
      `attachment; filename="${id}-1.png"`,
      `attachment; filename="${id}-2.html.txt"`,
      `attachment; filename="${id}-3.svg.txt"`,
    ]);
    for (const { headers } of answers) {
      expect(headers.get('content-type')).toBe('application/octet-stream');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain('sandbox');
    }
  });

  it('is displayed only if it is an image without scripts', () => {
    expect(urls.attachments.map(({ url }: { url: string | null }) => url !== null)).toEqual([true, false, false]);
  });

  it('is not displayed by a changed URL', async () => {
    const { status } = await get(urls.attachments[1].download.replace('?', '?display=yes&'));
    expect(status).toBe(403);
  });
});

describe('the source', () => {
  it('is text, or a download', async () => {
    const raw = await get(urls.raw);
    expect(raw.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(raw.headers.get('content-security-policy')).toContain('sandbox');
    expect(raw.text).toContain('Subject: Reset');
    const eml = await get(urls.eml);
    expect(eml.headers.get('content-disposition')).toBe(`attachment; filename="${id}.eml"`);
  });
});

describe('a signed URL', () => {
  it.each([
    ['another email', (url: string) => url.replace(/msg_\w+/, 'msg_00000000000000000000000000')],
    ['other content', (url: string) => url.replace('/html?', '/raw?')],
    ['a later expiry', (url: string) => url.replace(/expires=(\d)/, 'expires=9$1')],
    ['no expiry', (url: string) => url.replace(/expires=\d+/, 'expires=never')],
    ['remote content', (url: string) => url.replace('?', '?remote=yes&')],
    ['a parameter after the signature', (url: string) => `${url}&remote=yes`],
    ['no signature', (url: string) => url.replace(/&signature=.*/, '')],
    ['an empty signature', (url: string) => url.replace(/&signature=.*/, '&signature=')],
    ['the signature of another URL', (url: string) => url.replace(/signature=.*/, urls.raw.match(/signature=.*/)[0])],
  ])('is refused for %s', async (_, change) => {
    const changed = change(urls.html);
    expect(changed).not.toBe(urls.html);
    const { status, text } = await get(changed);
    expect(status).toBe(403);
    expect(text).not.toContain('shop.example');
  });

  it('expires after five minutes', async () => {
    const now = vi.spyOn(app.clock, 'systemNow').mockReturnValue(Date.parse(urls.expires_at) + 1);
    try {
      const { status, text } = await get(urls.html);
      expect(status).toBe(403);
      expect(text).toContain('This address has expired');
    } finally {
      now.mockRestore();
    }
  });

  it('is not valid on another start of the server', async () => {
    const other = await startInboxApp();
    const response = await fetch(new URL(urls.html, other.origin));
    expect(response.status).toBe(403);
    await other.closeClean();
  });

  it('is not created for a caller without a right, or for an email that does not exist', async () => {
    expect((await fetch(`${app.origin}/_svc/inbox/emails/${id}/urls`)).status).toBe(401);
    expect((await app.call('GET', '/_svc/inbox/emails/msg_00000000000000000000000000/urls')).status).toBe(404);
  });

  it('is not created for an email of another workspace', async () => {
    const { json } = await app.call('POST', '/_svc/workspaces', { name: 'other' });
    const authorization = `Bearer ${json.data.api_key}`;
    const { status } = await app.call('GET', `/_svc/inbox/emails/${id}/urls`, undefined, { authorization });
    expect(status).toBe(404);
  });

  it('of a deleted email leads to a page with the reason', async () => {
    const { json } = await app.call('POST', '/v1/emails', {
      to: 'ada@example.test',
      from: 'a@b.test',
      subject: 'Short',
      html: '<p>Hi</p>',
    });
    const own = await read(app.origin, `/_svc/inbox/emails/${json.data.id}/urls`, page);
    await app.call('DELETE', `/_svc/emails/${json.data.id}`);
    const { status, text } = await get(own.html);
    expect(status).toBe(404);
    expect(text).toContain('This email does not exist');
  });
});

describe('a message received over SMTP', () => {
  it('shows its inline images, which browsers load without a cookie', async () => {
    const own = await captured(
      [
        'Content-Type: multipart/related; boundary=b',
        '',
        '--b',
        'Content-Type: text/html',
        '',
        '<img src="cid:logo@shop" alt="Logo"><div style="background: url(cid:logo%40shop)">Hi</div>',
        '--b',
        'Content-Type: image/png',
        'Content-ID: <logo@shop>',
        'Content-Disposition: inline',
        'Content-Transfer-Encoding: base64',
        '',
        PNG.toString('base64'),
        '--b--',
        '',
      ].join('\r\n'),
    );
    const { text } = await get(own.html);
    const [, src = ''] = /<img src="(\/inbox\/content\/[^"]+)" alt="Logo">/.exec(text) ?? [];
    expect(text).toContain(`url(&quot;${src}&quot;)`);
    const response = await fetch(new URL(src.replaceAll('&amp;', '&'), app.origin), { headers: { origin: 'null' } });
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(Buffer.from(await response.arrayBuffer())).toEqual(PNG);
  });

  it('has no frame without HTML, and no delivered copies', async () => {
    const own = await captured('\r\nHello\r\n');
    expect(own).toMatchObject({ html: null, html_remote: null, delivered: [], attachments: [] });
  });
});

async function captured(rest: string) {
  const message = `From: a@b.test\r\nTo: ada@example.test\r\nSubject: Hi\r\nMIME-Version: 1.0\r\n${rest}`;
  const { json } = await app.call('POST', '/_svc/emails', message, { 'content-type': 'message/rfc822' });
  return read(app.origin, `/_svc/inbox/emails/${json.data.id}/urls`, page);
}
