import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/cli/binary.js';
import { deliveredHtml, linksIn } from '../../support/mail/delivered.js';
import { deliver } from '../../support/mail/smtp-session.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

const LOOPBACK = { host: '127.0.0.1', port: 0 };
const EMAIL = { to: 'ada@example.test', from: 'Shop <shop@example.test>', subject: 'Your code', html: '<p>Hello</p>' };

async function send(app: TestApp, fields: Record<string, unknown> = {}): Promise<string> {
  return (await app.call('POST', '/v1/emails', { ...EMAIL, ...fields })).json.data.id;
}

const captured = (app: TestApp, id: string) => app.read(`/_svc/emails/${id}/captured`);

describe('links and codes of an email', () => {
  let app: TestApp;
  beforeEach(async () => {
    app = await startApp();
  });
  afterEach(() => app.closeClean());

  it('are in its inspection and in its captured form', async () => {
    const html =
      '<p>Your code is <b>482 913</b></p><a href="https://app.test/verify?token=a1b2c3d4e5f6">Verify your email</a>';
    const id = await send(app, { html });

    const { links, codes } = await app.read(`/_svc/emails/${id}`);
    expect(links).toEqual([
      { text: 'Verify your email', href: 'https://app.test/verify?token=a1b2c3d4e5f6', kind: 'verify' },
    ]);
    expect(codes).toMatchObject([{ value: '482913', context: 'Your code is 482 913' }]);
    expect(await captured(app, id)).toMatchObject({
      id,
      links,
      codes,
      html,
      html_text: expect.stringContaining('482'),
    });
  });

  it('come with the header fields of the message that is composed', async () => {
    const id = await send(app, {
      cc: 'Grüße <b@x.test>',
      bcc: 'secret@x.test',
      reply_to: 'help@x.test',
      subject: 'Zürich',
    });
    const { headers } = await captured(app, id);
    const fields = Object.fromEntries(headers.map(({ name, value }: Record<string, string>) => [name, value]));
    expect(fields).toMatchObject({
      From: 'Shop <shop@example.test>',
      To: 'ada@example.test',
      Cc: 'Grüße <b@x.test>',
      'Reply-To': 'help@x.test',
      Subject: 'Zürich',
      'Message-ID': `<${id}@example.test>`,
      'MIME-Version': '1.0',
    });
    expect(JSON.stringify(headers)).not.toContain('secret@x.test');
    const raw = (await app.call('GET', `/_svc/emails/${id}/raw`)).status;
    expect(raw).toBe(200);
  });

  it('have the targets of svc’s own tracked links', async () => {
    const html = '<a href="https://app.test/reset?token=a1b2c3d4e5f6">Reset password</a>';
    const delivered = await deliveredHtml(app, await send(app, { html }));
    const [tracked = ''] = linksIn(delivered);
    expect(tracked).toContain('/t/c/');

    const id = await send(app, { html: `<p>Forwarded:</p>${delivered}`, track_clicks: false });
    expect((await captured(app, id)).links).toEqual([
      { text: 'Reset password', href: 'https://app.test/reset?token=a1b2c3d4e5f6', kind: 'reset' },
    ]);
    const forged = await send(app, { html: `<a href="${tracked.slice(0, -1)}">x</a>`, track_clicks: false });
    expect((await captured(app, forged)).links).toMatchObject([{ href: tracked.slice(0, -1) }]);
  });

  it('can be searched for at once', async () => {
    const id = await send(app, { html: '<p>Your code: 482913</p>' });
    await send(app, { subject: 'Other' });
    const { emails } = await app.read('/_svc/emails?search=has%3Acode');
    expect(emails).toMatchObject([{ id }]);
  });

  it('answer 404 for an email that does not exist', async () => {
    expect((await app.call('GET', '/_svc/emails/msg_none/captured')).status).toBe(404);
  });
});

describe('links and codes of a running server', () => {
  const folder = temporaryDirectory();
  afterAll(() => folder.remove());

  it('are found after a message over SMTP, with decoded header fields and List-Unsubscribe', async () => {
    const app = await startApp({ parsingLimitMs: 30_000 });
    const { smtp } = await app.listen({ http: LOOPBACK, smtp: LOOPBACK });
    const head = 'From: a@x.test\r\nTo: b@x.test\r\nSubject: =?utf-8?q?Z=C3=BCrich?=\r\n';
    const unsubscribe = 'List-Unsubscribe: <mailto:u@x.test>,\r\n <https://x.test/u/1>\r\n';
    await deliver(smtp, `${head}${unsubscribe}\r\nYour code is 482913.\r\n`);

    const { emails } = await app.read('/v1/emails');
    const { headers, links, codes } = await captured(app, emails[0].id);
    expect(headers).toContainEqual({ name: 'Subject', value: 'Zürich', raw: '=?utf-8?q?Z=C3=BCrich?=' });
    expect(links).toEqual([{ text: 'https://x.test/u/1', href: 'https://x.test/u/1', kind: 'unsubscribe' }]);
    expect(codes).toMatchObject([{ value: '482913' }]);
    await app.closeClean();
  });

  it('are found in the background, also those of an earlier process', async () => {
    const storage = { file: join(folder.path, 'mail.db') };
    const before = await startApp({ storage });
    const ids = [await send(before), await send(before)];
    await before.closeClean();

    const app = await startApp({ storage });
    await app.listen({ http: LOOPBACK, smtp: LOOPBACK });
    const found = { query: 'has:code', min: 1, timeout_ms: 20_000, since: 'now', absent: false };
    const waiting = app.call('POST', '/_svc/emails/wait', found);
    const later = await send(app, { html: '<p>Your code: 482913</p>' });
    const { json } = await waiting;
    expect(json.data).toMatchObject({ matched: true, emails: [{ id: later, codes: [{ value: '482913' }] }] });
    for (const id of ids) expect((await app.read(`/_svc/emails/${id}`)).codes).toEqual([]);
    await app.closeClean();
  });
});
