import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSmtp } from '../support/mail/smtp-session.js';
import { type Receiver, startReceiver } from '../support/servers/receiver.js';
import { type InboxServer, launchBrowser, openInbox, startInbox, withoutBrowser } from '../support/web/browser.js';
import { tabs } from '../support/web/views/email-views.js';

/**
 * Puts markup, code and characters that reorder text into every field that the inbox shows, and opens every page: the
 * page must show them as text, stay where it is, and request nothing from other servers.
 */

const RUN = 'document.documentElement.dataset.executed=1';
const FOREIGN = 'http://attacker.example';
/** Breaks out of attributes, tags, comments and scripts; breaks templates of other frameworks; and hides what follows. */
const MARKUP =
  `'"><b data-hostile>b</b><img data-hostile src="${FOREIGN}/x" onerror="${RUN}"><svg data-hostile onload=${RUN}>` +
  `<iframe data-hostile srcdoc="<script>parent.${RUN}</script>"></iframe><form data-hostile name=body><input name=location></form>` +
  `--></script></style></title></textarea><a data-hostile href="javascript:${RUN}">x</a>{{constructor.constructor('${RUN}')()}}` +
  '<style data-hostile>*{display:none!important}</style>';
const CHARACTERS = '\u202e\u2066\u200b\u061c\u{e0041}';
const TEXT = MARKUP + CHARACTERS;
/** For fields with a limit, and between quotation marks. */
const SHORT = `'><b data-hostile>b</b><img data-hostile src=${FOREIGN}/x onerror=${RUN}>`;
/** In forms without line ends, quotes or angle brackets in a special meaning. */
const encoded = `=?utf-8?B?${Buffer.from(TEXT).toString('base64')}?=`;
const LINKS = `<a href="javascript:${RUN}">javascript</a><a href="data:text/html,<script>${RUN}</script>">data</a>
<a href="https://evil.example/${encodeURIComponent(MARKUP)}">https://bank.example</a><a href="vbscript:x">vbscript</a>`;

const message = [
  `From: "${encoded}" <evil@example.test>`,
  'To: ada@example.test',
  `Subject: ${encoded}`,
  `X-Hostile: ${MARKUP}`,
  `List-Unsubscribe: <javascript:${RUN}>, <mailto:x@example.test?subject=${encodeURIComponent(MARKUP)}>`,
  `Message-ID: <"${MARKUP.replaceAll('"', '')}"@x.test>`,
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: text/plain; charset=utf-8',
  '',
  `Your code is 482913 ${TEXT} javascript:${RUN} https://evil.example/"><b data-hostile>`,
  '--b',
  'Content-Type: text/html; charset=utf-8',
  '',
  `<p>${TEXT}</p>${LINKS}<style>@import "${FOREIGN}/css"; p { background: url(${FOREIGN}/url) }</style>`,
  '--b',
  `Content-Type: image/svg+xml; name="${encoded}"`,
  'Content-Disposition: attachment',
  `Content-ID: <${MARKUP.replaceAll(/[<>]/g, '')}>`,
  '',
  `<svg xmlns="http://www.w3.org/2000/svg" onload="${RUN}"><script>${RUN}</script></svg>`,
  '--b',
  `Content-Type: text/calendar; name="x.ics"`,
  'Content-Disposition: attachment; filename="x.ics"',
  '',
  `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:${TEXT}\r\nLOCATION:javascript:${RUN}\r\nORGANIZER;CN="${MARKUP.replaceAll('"', '')}":mailto:x@x.test\r\nEND:VEVENT\r\nEND:VCALENDAR`,
  '--b',
  `Content-Type: text/html${MARKUP.replaceAll(/[";]/g, '')}`,
  `Content-Disposition: attachment; filename*=utf-8''${encodeURIComponent(`../${TEXT}/con.html`)}`,
  '',
  MARKUP,
  '--b--',
  '',
]
  .join('\r\n')
  .replaceAll(/(?<!\r)\n/g, '\r\n');

let browser: Browser;
let server: InboxServer;
let receiver: Receiver;

/** Sends the message with hostile commands. Returns its ID. */
async function sendOverSmtp(): Promise<string> {
  const session = await openSmtp((await server.read('/_svc/info')).smtp);
  await session.reply();
  await session.say(`EHLO ${MARKUP.slice(0, 400)}`);
  await session.say(`${MARKUP.slice(0, 400)}`);
  await session.say(`RCPT TO:<${MARKUP}>`);
  await session.say('EHLO x.test');
  await session.say('MAIL FROM:<evil@example.test>');
  await session.say(`RCPT TO:<"<b/data-hostile>"@example.test>`);
  await session.say('RCPT TO:<ada@example.test>');
  await session.say('DATA');
  session.write(message);
  const id = /msg_\w+/.exec((await session.say('.')) ?? '')?.[0] ?? '';
  await session.say('QUIT');
  await expect.poll(async () => (await server.read(`/_svc/emails/${id}`)).parsing).toBe(false);
  return id;
}

async function fill(): Promise<string[]> {
  const refused: string[] = [];
  const call = async (path: string, body: unknown) => {
    const { status, json } = await server.call('POST', path, body);
    if (status >= 400) refused.push(`${path}: ${JSON.stringify(json.error)}`);
    return json.data;
  };
  receiver = await startReceiver((response) => {
    response.writeHead(500, { 'content-type': 'text/html', 'x-hostile': MARKUP }).end(TEXT);
  });
  const secret = 'whsec_1';
  const hook = {
    url: `${receiver.url}/${SHORT.replaceAll(' ', '/')}`,
    events: ['email.sent', 'template.created'],
    secret,
  };
  await call('/v1/webhooks', hook);
  const template = { name: SHORT, subject: `${TEXT} {{name}}`, html: TEXT + LINKS, text: TEXT };
  const templateId = (await call('/v1/templates', template)).id;
  await call('/_svc/rules', { to: `*${SHORT}*@corp.test`, outcome: 'bounced' });
  await call('/_svc/rules', { to: '*@corp.test', outcome: 'bounced', reason: SHORT + CHARACTERS });
  await call('/_svc/faults', { webhook: `https://faults.example/${MARKUP}*`, code: 500 });
  await call('/v1/domains', { domain: 'mail.example.com' });
  await call('/_svc/suppressions', { address: `"<b data-hostile>"@example.test` });
  await call('/v1/api-keys', { name: SHORT, environment: 'test' });
  const sent = await server.send({
    from: `"${SHORT}" <shop@example.test>`,
    subject: MARKUP,
    html: TEXT + LINKS,
    text: TEXT,
    tags: [SHORT, 'x'],
    headers: { 'X-Hostile': MARKUP },
  });
  await call(`/_svc/emails/${sent}/simulate`, { outcome: 'bounced', reason: SHORT });
  const received = await sendOverSmtp();
  // Ways into the request log: the path, the user agent, fields that do not exist.
  await server.call(
    'POST',
    `/v1/emails?${encodeURIComponent(MARKUP)}`,
    { [MARKUP]: 1, to: MARKUP },
    { 'user-agent': MARKUP },
  );
  await server.call('POST', `/v1/${encodeURIComponent(MARKUP)}`, {});
  expect(refused).toEqual([]);
  await receiver.until(1);
  await server.call('POST', '/_svc/clock/advance', { by: '1s' });
  const { deliveries } = await server.read('/_svc/deliveries');
  const { requests } = await server.read('/_svc/requests');
  const { sessions } = await server.read('/_svc/smtp-sessions');
  const search = encodeURIComponent(MARKUP);
  return [
    '/inbox/emails',
    `/inbox/emails?search=${search}`,
    ...[sent, received].flatMap((id) => tabs.map((tab) => `/inbox/emails/${id}/${tab}`)),
    `/inbox/${search}`,
    `/inbox/emails/${search}`,
    ...['html', 'text', 'data', 'json'].map((part) => `/inbox/templates/${templateId}?part=${part}`),
    '/inbox/templates',
    `/inbox/compose?to=${search}&template=${search}`,
    '/inbox/webhooks',
    ...deliveries.slice(0, 2).map(({ id }: { id: string }) => `/inbox/webhooks/deliveries/${id}`),
    `/inbox/webhooks/deliveries/${search}`,
    '/inbox/requests',
    ...requests.slice(0, 4).map(({ request_id: id }: { request_id: string }) => `/inbox/requests/${id}`),
    '/inbox/smtp',
    ...sessions.map(({ id }: { id: string }) => `/inbox/smtp/${id}`),
    '/inbox/rules',
    '/inbox/domains',
    `/inbox/domains/${search}`,
    '/inbox/api-keys',
    '/inbox/suppressions',
    `/inbox/suppressions?search=${search}`,
    `/inbox/analytics?from=${search}&to=${search}&by=${search}`,
    '/inbox/clock',
  ];
}

/** Runs in the page: what markup of others would have changed. */
const LOOK = `({
  executed: document.documentElement.dataset.executed,
  elements: document.querySelectorAll('[data-hostile]').length,
  links: [...document.querySelectorAll('a')].map((a) => a.href).filter((href) => !/^(https?|mailto):/.test(href) && href),
  focus: document.activeElement.tagName === 'IFRAME',
})`;

async function effectsOf(page: Page): Promise<unknown> {
  const top = await page.evaluate(LOOK);
  const frames = await Promise.all(
    page
      .frames()
      .slice(1)
      .map((frame) => frame.evaluate('document.documentElement.dataset.executed')),
  );
  return { top, frames: frames.filter((executed) => executed) };
}

describe.skipIf(withoutBrowser)(`hostile text in every view${withoutBrowser}`, () => {
  beforeAll(async () => {
    [browser, server] = await Promise.all([launchBrowser(), startInbox(0, { plan: 'none' })]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.closeClean();
    await receiver?.close();
  });

  it('is shown as text, runs nothing, requests nothing and leads nowhere', async () => {
    const paths = await fill();
    const { page, problems, close } = await openInbox(browser, server.origin);
    const foreign: string[] = [];
    page.context().on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(server.origin) && !url.startsWith('data:')) foreign.push(url);
    });
    page.on('dialog', (dialog) => foreign.push(`dialog ${dialog.message()}`));
    page.on('popup', (popup) => foreign.push(`popup ${popup.url()}`));
    for (const path of paths) {
      await page.goto(server.origin + path);
      await page.locator('h1').first().waitFor();
      await page.getByRole('status').filter({ hasText: 'Loading' }).first().waitFor({ state: 'detached' });

      const place = path.replace(/[?].*/, '');
      expect({ path, ...((await effectsOf(page)) as object) }).toEqual({
        path,
        top: { executed: undefined, elements: 0, links: [], focus: false },
        frames: [],
      });
      expect(new URL(page.url()).pathname).toBe(new URL(place, server.origin).pathname);
    }
    expect(foreign).toEqual([]);
    // What an email imports is replaced by nothing, which the policy of its frame refuses as well.
    expect(problems.filter((problem) => !problem.startsWith("Loading the stylesheet 'data:,'"))).toEqual([]);
    await close();
  }, 240_000);
});
