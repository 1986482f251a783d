import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { INBOX_TOKEN_HEADER } from '../../../src/contract/vocabulary/inbox.js';
import { askForSession, type InboxApp, openPage, startInboxApp } from '../../support/inbox/inbox-app.js';

const MINUTE_MS = 60_000;
/** The server does not look up the owner of such a connection. */
const forwarded = { 'x-forwarded-for': '203.0.113.9' };

let app: InboxApp;
beforeAll(async () => {
  app = await startInboxApp({ inboxPassword: 'correct horse battery' });
});
afterAll(() => app.closeClean());

const newCode = async () =>
  (await app.call('POST', '/_svc/inbox/codes', undefined, forwarded)).json.data.code as string;

/** Asks for a session in the server's process, which takes less time than over a connection. */
async function ask(proof: object, cookie = `svc_inbox_${new URL(app.origin).port}=${'a'.repeat(43)}`) {
  const { host } = new URL(app.origin);
  const answer = await app.http.inject({
    method: 'POST',
    url: '/_svc/inbox/session',
    headers: { host, origin: app.origin, cookie, 'content-type': 'application/json', ...forwarded },
    payload: JSON.stringify(proof),
  });
  return { status: answer.statusCode, message: answer.json().error?.message, data: answer.json().data };
}

async function inAMinuteOfItsOwn(minutes: number, work: () => Promise<void>): Promise<void> {
  const now = Date.now() + minutes * MINUTE_MS;
  const clock = vi.spyOn(app.clock, 'systemNow').mockImplementation(() => now);
  try {
    await work();
  } finally {
    clock.mockRestore();
  }
}

describe('a request for a session', () => {
  it('has at most 4,096 bytes', async () => {
    const padding = ' '.repeat(4_096);
    const { status, message } = await askForSession(app.origin, {
      cookie: (await openPage(app.origin)).cookie,
      proof: { code: padding },
    }).then(({ status, error }) => ({ status, message: error?.message }));
    expect(status).toBe(400);
    expect(message).toContain('4096');
    expect(message).not.toContain('resume, code, key, password');
  });

  it('without a secret is made 600 times a minute, and one with a code is still accepted', async () => {
    await inAMinuteOfItsOwn(2, async () => {
      const code = await newCode();
      const statuses: number[] = [];
      for (let calls = 0; calls < 601; calls += 1) statuses.push((await ask({})).status);
      expect(statuses.slice(0, 600).every((status) => status === 401)).toBe(true);
      expect(statuses[600]).toBe(429);
      expect((await ask({ code })).status).toBe(201);
    });
  });

  it('with a valid code or key is accepted after too many wrong ones', async () => {
    await inAMinuteOfItsOwn(4, async () => {
      const code = await newCode();
      const statuses: number[] = [];
      for (let calls = 0; calls < 11; calls += 1) statuses.push((await ask({ code: `wrong ${calls}` })).status);
      expect(statuses).toEqual([...Array(10).fill(401), 429]);
      expect((await ask({ password: 'correct horse battery' })).status).toBe(429);
      expect((await ask({ code })).status).toBe(201);
    });
  });
});

describe('a browser with several cookies of the name', () => {
  const name = () => `svc_inbox_${new URL(app.origin).port}`;
  const [own, foreign] = ['a'.repeat(43), 'b'.repeat(43)];

  it('resumes its session, and calls, whatever their order is', async () => {
    const first = await ask({ code: await newCode() }, `${name()}=${own}; ${name()}=${foreign}`);
    const swapped = `${name()}=${foreign}; ${name()}=${own}`;
    const second = await ask({ resume: first.data.resume }, swapped);
    expect(second.status).toBe(201);

    const headers = { cookie: swapped, [INBOX_TOKEN_HEADER]: first.data.token };
    expect((await fetch(`${app.origin}/v1/emails`, { headers })).status).toBe(200);
    const without = { ...headers, cookie: `${name()}=${foreign}` };
    expect((await fetch(`${app.origin}/v1/emails`, { headers: without })).status).toBe(401);
  });
});

describe('behind a proxy with TLS', () => {
  const EXTERNAL = 'https://mail.example';
  let proxied: InboxApp;
  beforeAll(async () => {
    proxied = await startInboxApp({ externalUrl: EXTERNAL, allowedHosts: ['mail.example'] });
  });
  afterAll(() => proxied.closeClean());

  async function session(origin: string) {
    const { json } = await proxied.call('POST', '/_svc/inbox/codes', undefined, forwarded);
    const cookie = `svc_inbox_80=${'c'.repeat(43)}`;
    const headers = { host: 'mail.example', origin, cookie, 'content-type': 'application/json', ...forwarded };
    const payload = JSON.stringify({ code: json.data.code });
    return proxied.http.inject({ method: 'POST', url: '/_svc/inbox/session', headers, payload });
  }

  it('opens a session for a page of the public https origin, with the link of "svc inbox --print"', async () => {
    expect((await session(EXTERNAL)).statusCode).toBe(201);
  });

  it.each(['https://mail.example:8443', 'https://other.example'])('refuses a page of %s', async (origin) => {
    expect((await session(origin)).statusCode).toBe(403);
  });

  it('lets frames load images of the email over https', async () => {
    const email = { to: 'ada@example.test', from: 'a@b.test', subject: 'Hi', html: '<p>Hi</p>' };
    const { id } = (await proxied.call('POST', '/v1/emails', email)).json.data;
    const { html } = await proxied.read(`/_svc/inbox/emails/${id}/urls`);
    const { headers } = await proxied.http.inject({ url: html, headers: { host: 'mail.example' } });
    expect(headers['content-security-policy']).toContain(`img-src data: ${EXTERNAL}/inbox/content/;`);
  });
});

describe('a link of an email', () => {
  const lengths = { kept: 8 * 1024, left: 8 * 1024 + 1 };
  const linkOf = (length: number) => `https://shop.example/?${'a'.repeat(length)}`.slice(0, length);

  async function frameOf(link: string): Promise<string> {
    const html = `<a href="${link}">Open</a><p style="background: url(https://images.example/x.png)">Hi</p>`;
    const email = { to: 'ada@example.test', from: 'a@b.test', subject: 'Hi', html };
    const { id } = (await app.call('POST', '/v1/emails', email)).json.data;
    const urls = await app.read(`/_svc/inbox/emails/${id}/urls`);
    return (await fetch(app.origin + urls.html)).text();
  }

  it('opens with up to 8 KiB as encoded, and has no target beyond', async () => {
    const encoded =
      new URLSearchParams({ url: 'https://shop.example/?' }).toString().length - 'https://shop.example/?'.length;
    const text = await frameOf(linkOf(lengths.kept - encoded));
    const [, leave = ''] = /href="(\/inbox\/leave\?[^"]+)"/.exec(text) ?? [];
    const page = await fetch(app.origin + leave.replaceAll('&amp;', '&'));
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('<strong>shop.example</strong>');

    expect(await frameOf(linkOf(lengths.left - encoded))).toContain('<a>Open</a>');
  });

  it('does not bring along images of styles from other servers', async () => {
    const text = await frameOf('https://shop.example/');
    expect(text).toContain('Hi');
    expect(text).not.toContain('images.example');
  });
});
