import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EmailCheck, EmailChecks } from '../../../src/contract/control/emails/check.js';
import { rawMessage } from '../../support/mail/delivered.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { verifiedDomain } from '../../support/verified-domain.js';

const GOOD_HTML = `<!doctype html>
<html lang="en"><head><title>Receipt</title><style>
.pre { display: none } .muted { color: #555555 }
</style></head><body bgcolor="#ffffff">
<div class="pre">Your order 1234 is on its way.&#847;&zwnj;</div>
<table role="presentation"><tr><td style="background:#0b5394;color:#ffffff">Thank you for your order</td>
<td class="muted">It arrives on Monday. We sent it to the address that you gave us, and we will tell you when it is there.
<img src="https://cdn.shop.example/box.png" alt="Box" width="80" height="60"></td></tr></table>
<a href="https://shop.example/orders/1234">See your order</a></body></html>`;
const EMAIL = {
  to: 'ada@example.test',
  from: 'Shop <shop@example.test>',
  subject: 'Your order',
  html: GOOD_HTML,
  text: 'Your order is on its way.',
};

let app: TestApp;
beforeEach(async () => {
  app = await startApp();
});
afterEach(() => app.closeClean());

async function send(fields: Partial<typeof EMAIL> & Record<string, unknown> = {}): Promise<string> {
  return (await app.call('POST', '/v1/emails', { ...EMAIL, ...fields })).json.data.id;
}

/** Captures a message as SMTP would. */
async function capture(lines: string[]): Promise<string> {
  const message = [...lines, '', 'Hello'].join('\r\n');
  const { json } = await app.call('POST', '/_svc/emails', message, { 'content-type': 'message/rfc822' });
  return json.data.id;
}

async function checksOf(id: string): Promise<EmailChecks> {
  await vi.waitUntil(async () => !(await app.read(`/_svc/emails/${id}`)).parsing, 10_000);
  return app.read(`/_svc/emails/${id}/checks`);
}

async function checkOf(id: string, name: string): Promise<EmailCheck> {
  const found = (await checksOf(id)).checks.find((check) => check.id === name);
  if (!found) throw new Error(`No check ${name}`);
  return found;
}

const body = (html: string) => send({ html: `<html><body>${html}</body></html>` });

describe('an email without faults', () => {
  it('passes each check of its content', async () => {
    const { checks, score } = await checksOf(await send());
    const failed = checks.filter(({ passed }) => passed === false).map(({ id, details }) => `${id}: ${details}`);

    expect(failed).toEqual([expect.stringMatching(/^sending-domain: .*svc domains add example\.test/)]);
    expect(score).toBeGreaterThan(80);
    expect(checks.find(({ id }) => id === 'preheader')?.details).toContain('Your order 1234 is on its way.');
  });

  it('has explanations, and counts of its checks', async () => {
    const { checks, passed, failed, not_run } = await checksOf(await send());

    expect(passed + failed + not_run).toBe(checks.length);
    for (const { explanation, see, title } of checks) {
      expect(explanation).toMatch(/\.$/);
      expect(see).toMatch(/^https:\/\//);
      expect(title).not.toBe('');
    }
  });
});

describe('faults of the content', () => {
  it.each([
    ['image-alt', '<p>a</p>\n  <img src="a.png" width="1" height="2">', 2, 3, undefined],
    ['image-size', '\n<img src="a.png" alt="" style="width:10px">', 2, 1, 'no height'],
    ['contrast', '<p style="color:#999">Gray</p>', 1, 35, '#999999 on #ffffff'],
    ['contrast', '<style>.b{background:#222}a{color:#333}</style><p class="b"><a>x</a>', 1, 76, '#333333 on #222222'],
    ['contrast', '<table bgcolor="#ffff00"><tr><td><font color="white">Pay</font>', 1, 66, '#ffffff on #ffff00'],
    ['active-content', '<p onclick="x()">a</p>', 1, 13, 'event handler onclick'],
    ['active-content', '<a href="javascript:x()">a</a>', 1, 13, 'script in href'],
    ['active-content', '<iframe src="https://x.test"></iframe>', 1, 13, 'embedded content in <iframe>'],
    ['link-targets', '<a href="/orders">a</a>', 1, 13, 'not a complete URL'],
    ['link-targets', '<a href="http://shop.example/">a</a>', 1, 13, 'not encrypted (http)'],
    ['placeholders', '<p>Dear {{first_name}}</p>', 1, 21, '{{first_name}}'],
    ['placeholders', '<a href="https://x.test/?user=undefined">a</a>', 1, 43, 'undefined'],
    ['contrast', '<div style="font-size:0"><p style="font-size:13px;color:#999">Gray</p></div>', 1, 75, '#999999'],
    ['contrast', '<div style="font-size:0"><p style="font-size:medium;color:#999">Gray</p></div>', 1, 77, '#999999'],
    ['spam-patterns', '<a href="https://evil.example/">https://bank.example</a>', 1, 13, 'the text shows bank.example'],
    ['spam-patterns', '<a href="https://bit.ly/abc">Order</a>', 1, 13, 'link shortener bit.ly'],
  ])('are found: %s in %s', async (id, html, line, column, note) => {
    const check = await checkOf(await body(html), id);

    expect(check).toMatchObject({ passed: false, where: [{ source: 'html', line, column }] });
    if (note !== undefined) expect(check.where[0]?.note).toContain(note);
  });

  it.each([
    ['contrast', '<p style="color:#767676">Gray</p><h1 style="color:#949494">Large</h1>'],
    ['contrast', '<div style="display:none;color:#fff">Hidden</div><p>Shown</p>'],
    ['contrast', '<div style="font-size:0;color:#fff">Hidden <b>too</b></div><p>Shown</p>'],
    ['contrast', '<style>p{color:#fff} p.dark{color:#000}</style><p class="dark">Specific</p>'],
    ['image-alt', '<img src="a.png" alt=""><img src="https://x.test/p.gif" width="1" height="1">'],
    ['active-content', '<script type="application/ld+json">{}</script><p>one = two</p>'],
    [
      'link-targets',
      '<a href="https://x.test">a</a><a href="mailto:a@x.test">b</a><a href="http://127.0.0.1:3000/">c</a>',
    ],
    ['placeholders', '<p>100 %, {not one}, the value is undefined behavior</p>'],
  ])('are not found: %s in %s', async (id, html) => {
    expect(await checkOf(await body(html), id)).toMatchObject({ passed: true, count: 0, where: [] });
  });

  it('include text on an image, which has no result', async () => {
    const html = '<td style="background:url(x.png)"><p style="color:#fff">White</p></td>';
    expect(await checkOf(await body(html), 'contrast')).toMatchObject({ passed: null });
  });

  it('include a missing text and a missing preheader', async () => {
    const id = await send({ text: '', html: '<p>View in browser</p>' });

    expect(await checkOf(id, 'text-part')).toMatchObject({ passed: false });
    expect((await checkOf(id, 'preheader')).details).toBe('Without a preheader, inboxes show "View in browser".');
  });

  it('quote the text after the subject as the views do', async () => {
    const id = await body('<p>Hello A<b>da</b></p><p>Order</p>');
    expect((await checkOf(id, 'preheader')).details).toBe('Without a preheader, inboxes show "Hello Ada Order".');
  });

  it('do not include a missing preheader if the text is in a wrapper with font-size: 0, as MJML writes it', async () => {
    const html = '<td style="font-size:0px"><div style="font-size:16px">Hello Ada</div></td>';
    expect((await checkOf(await body(html), 'preheader')).details).toBe(
      'Without a preheader, inboxes show "Hello Ada".',
    );
  });

  it('include HTML of more than 102 KiB', async () => {
    const filler = 'x'.repeat(102 * 1024 - GOOD_HTML.length);
    expect(await checkOf(await send({ html: GOOD_HTML + filler }), 'html-size')).toMatchObject({ passed: true });
    expect(await checkOf(await send({ html: `${GOOD_HTML + filler}é` }), 'html-size')).toMatchObject({ passed: false });
  });

  it('include patterns in the subject', async () => {
    const { where } = await checkOf(await send({ subject: 'Re: WIN CASH NOW!!' }), 'spam-patterns');
    expect(where.map(({ note }) => note)).toEqual([
      'repeated punctuation in the subject',
      'looks like a reply, but is not one',
    ]);
  });

  it('leave checks of HTML without a result for an email without HTML', async () => {
    const { html_support, checks, score } = await checksOf(
      await capture(['From: a@x.test', 'To: b@x.test', 'Subject: Hi']),
    );

    expect({ html_support, score }).toEqual({ html_support: null, score: null });
    expect(checks.find(({ id }) => id === 'contrast')).toMatchObject({
      passed: null,
      details: 'The email has no HTML.',
    });
  });

  it('are found in deeply nested and broken HTML', async () => {
    const html = `${'<div><table><td>'.repeat(1_000)}</p></td><style>${'a{'.repeat(2_000)}`;
    expect((await checksOf(await body(html))).html_support?.elements).toBeGreaterThan(2_000);
  });
});

describe('header fields to unsubscribe', () => {
  const LIST = 'List-Unsubscribe: <https://x.test/u?id=1>, <mailto:u@x.test>';
  const POST = 'List-Unsubscribe-Post: List-Unsubscribe=One-Click';
  const HEAD = ['From: a@x.test', 'To: b@x.test', 'Subject: Hi'];

  it.each([
    [true, [LIST, POST], 'One-click unsubscribing is possible.'],
    [false, [LIST], 'The header field List-Unsubscribe-Post is missing.'],
    [false, ['List-Unsubscribe: <mailto:u@x.test>', POST], 'List-Unsubscribe has no https URL in angle brackets.'],
    [false, [LIST, 'List-Unsubscribe-Post: yes'], 'List-Unsubscribe-Post must be "List-Unsubscribe=One-Click".'],
    [
      false,
      [LIST, POST, 'DKIM-Signature: v=1; d=x.test; h=From:List-Unsubscribe; b=abc'],
      'The DKIM signature does not include list-unsubscribe-post.',
    ],
    [
      true,
      [
        LIST,
        POST,
        'DKIM-Signature: v=1; d=esp.test; h=From; b=abc',
        'DKIM-Signature: v=1; d=x.test; h=From:List-Unsubscribe:List-Unsubscribe-Post; b=abc',
      ],
      'One-click unsubscribing is possible.',
    ],
    [
      false,
      [LIST, POST, 'DKIM-Signature: d=a.test; h=From; b=a', 'DKIM-Signature: d=x.test; h=List-Unsubscribe; b=a'],
      'None of the DKIM signatures includes both header fields.',
    ],
    [null, [], 'The email has no link to unsubscribe. Transactional email needs none.'],
  ])('pass=%s with %j', async (passed, fields, details) => {
    expect(await checkOf(await capture([...HEAD, ...fields]), 'list-unsubscribe')).toMatchObject({ passed, details });
  });

  it('are missing if the HTML has a link to unsubscribe', async () => {
    const id = await body('<a href="https://x.test/unsubscribe?u=1">Unsubscribe</a>');
    expect(await checkOf(id, 'list-unsubscribe')).toMatchObject({ passed: false });
  });
});

describe('authentication', () => {
  const results = async (id: string) =>
    Object.fromEntries((await checksOf(id)).checks.map(({ id: name, passed }) => [name, passed]));

  it('passes for a verified domain with a DMARC policy', async () => {
    await verifiedDomain(app, 'shop.example');
    const id = await send({ from: 'hello@shop.example' });

    expect(await results(id)).toMatchObject({ 'sending-domain': true, 'return-path': true, dkim: true });
  });

  it('is not checked further for an unknown domain', async () => {
    expect(await results(await send())).toMatchObject({
      'sending-domain': false,
      'return-path': null,
      dkim: null,
      dmarc: null,
    });
  });

  it.each([
    ['bounce@mail.shop.example', true],
    ['bounce@shop.example', true],
    ['bounce@provider.example', false],
  ])('compares the Return-Path %s with From', async (path, passed) => {
    const id = await capture([`Return-Path: <${path}>`, 'From: a@shop.example', 'To: b@x.test', 'Subject: Hi']);
    expect(await results(id)).toMatchObject({ 'return-path': passed });
  });

  const signed = (domain: string, selector = 'k') =>
    `DKIM-Signature: v=1; a=rsa-sha256; d=${domain}; s=${selector}; h=from; bh=a; b=c`;
  const dkimOf = async (from: string, signature: string) =>
    checkOf(await capture([signature, `From: ${from}`, 'To: b@x.test', 'Subject: Hi']), 'dkim');

  it.each([
    ['a@shop.co.uk', 'other.co.uk', false, 'is not aligned with shop.co.uk'],
    ['a@mail.shop.co.uk', 'shop.co.uk', null, 'aligned with mail.shop.co.uk. The signature was not verified'],
  ])('compares the signature of %s by %s', async (from, signer, passed, details) => {
    const check = await dkimOf(from, signed(signer));
    expect(check).toMatchObject({ passed, details: expect.stringContaining(details) });
  });

  it('does not count a signature that cannot be verified for DMARC', async () => {
    await verifiedDomain(app, 'policy.example');
    const { records } = await app.read('/_svc/dns');
    const { name } = records.find(({ name }: { name: string }) => name.endsWith('_domainkey.policy.example'));
    await app.call('PATCH', `/_svc/dns/${name}`, { published: false });
    await app.call('POST', '/v1/domains/policy.example/verify');
    const id = await capture([
      'Return-Path: <bounce@provider.example>',
      signed('policy.example', 'other'),
      'From: a@policy.example',
      'To: b@x.test',
      'Subject: Hi',
    ]);
    expect(await results(id)).toMatchObject({ 'return-path': false, dkim: null, dmarc: null });
  });

  describe('by a signature of an added domain', () => {
    let message: string;
    beforeEach(async () => {
      await verifiedDomain(app, 'own.example');
      message = (await rawMessage(app, await send({ from: 'hello@own.example' }))).toString('latin1');
    });
    const dkimOfMessage = async (text: string) => {
      const { json } = await app.call('POST', '/_svc/emails', text, { 'content-type': 'message/rfc822' });
      return checkOf(json.data.id, 'dkim');
    };

    it('passes if the signature is valid', async () => {
      const { passed, details } = await dkimOfMessage(message);
      expect({ passed, details }).toEqual({
        passed: true,
        details: 'The signature by own.example is valid, and its key is in the DNS.',
      });
    });

    it.each([
      ['the body', (text: string) => text.replace('on its way', 'on its wax'), 'the body was changed'],
      ['a header field', (text: string) => text.replace('Subject: Your', 'Subject: My'), 'a header field was changed'],
      [
        'another field on top',
        (text: string) => text.replace('\r\nFrom:', '\r\nFrom: x@own.example$&'),
        'a header field',
      ],
      [
        'the signed length',
        (text: string) => text.replace('DKIM-Signature: v=1;', '$& l=1;'),
        'only a part of the body',
      ],
      ['the algorithm', (text: string) => text.replace('a=rsa-sha256', 'a=rsa-sha1'), 'not rsa-sha256'],
    ])('fails after a change of %s', async (_, change, problem) => {
      expect(change(message)).not.toBe(message);
      const { passed, details } = await dkimOfMessage(change(message));
      expect({ passed, details }).toEqual({
        passed: false,
        details: expect.stringMatching(`The signature by own.example is not valid: .*${problem}`),
      });
    });

    it('passes if another signature is valid', async () => {
      await verifiedDomain(app, 'news.own.example');
      const invalid = 'DKIM-Signature: v=1; a=rsa-sha256; d=news.own.example; s=svc; h=from; bh=a; b=c\r\n';
      const { passed, details } = await dkimOfMessage(invalid + message);
      expect({ passed, details }).toEqual({
        passed: true,
        details: 'The signature by own.example is valid, and its key is in the DNS.',
      });
    });
  });
});

it('reports an email that does not exist', async () => {
  expect(await app.call('GET', '/_svc/emails/msg_none/checks')).toMatchObject({ status: 404 });
  expect(await app.call('POST', '/_svc/emails/msg_none/checks/links', {})).toMatchObject({ status: 404 });
});
