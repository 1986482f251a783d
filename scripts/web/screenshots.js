/**
 * Takes pictures of the inbox with example emails: `npm run screenshot:inbox` writes those of the docs, and
 * `npm run screenshot:inbox -- DIRECTORY` writes every view at three widths in both themes.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { apiKeys, domains, requests, suppressions, template, webhookRequests } from './example-emails.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [directory] = process.argv.slice(2);
const executablePath = process.env.CHROME_PATH ?? '/usr/bin/chromium';
const HEIGHT = 800;
/** Time for the parts of a page to load and to be drawn. */
const SETTLE_MS = 700;

const data = mkdtempSync(join(tmpdir(), 'svc-screenshots-'));
const args = ['bin/run.js', 'dev', '--json', '--http-port', '0', '--smtp-port', '0', '--data-dir', data];
const dev = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const [line] = await once(createInterface(dev.stdout), 'line');
  const { base_url, api_key } = JSON.parse(line);
  await take({ base: base_url, key: api_key });
} finally {
  dev.kill();
  await once(dev, 'close');
  rmSync(data, { recursive: true, force: true });
}

async function take({ base, key }) {
  const call = async (path, init = {}) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(base + path, { ...init, headers });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return (await response.json()).data;
  };
  const origin = new URL(base).origin;
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--run-all-compositor-stages-before-draw'],
  });
  const shoot = (picture) => shot(browser, origin, picture);
  if (directory) for (const picture of everywhere('empty', '/inbox/emails')) await shoot(picture);
  const sent = [];
  for (const request of requests) sent.push(await call('/emails', { method: 'POST', body: JSON.stringify(request) }));
  const create = (path, body) => call(path, { method: 'POST', body: JSON.stringify(body) });
  for (const domain of domains) await create('/domains', { domain });
  await call(`/domains/${domains[0]}/verify`, { method: 'POST' });
  await call(`/../_svc/dns/${domains.at(-1)}`, { method: 'PATCH', body: '{"published":false}' });
  for (const name of apiKeys) await create('/api-keys', { name, environment: 'test' });
  for (const address of suppressions) await create('/../_svc/suppressions', { address });
  for (const [path, body] of webhookRequests) await create(path, body);
  const last = sent.at(-1);
  const withPhoto = sent[requests.findIndex(({ attachments }) => attachments?.[0].filename === 'photo.png')];
  const { id: templateId } = await create('/templates', template);
  await call('/../_svc/settle', { method: 'POST', body: '{}' });
  const { deliveries } = await call('/../_svc/deliveries');
  const delivery = deliveries[0].id;
  const pictures = directory
    ? viewsOf({ id: last.id, withPhoto: withPhoto.id, templateId, delivery }).flatMap(([name, path]) =>
        everywhere(name, path),
      )
    : [
        { file: join(root, 'docs/images/inbox.png'), path: `/inbox/emails/${last.id}`, width: 1280, theme: 'light' },
        { file: join(root, 'docs/images/inbox-dark.png'), path: '/inbox/emails', width: 1280, theme: 'dark' },
      ];
  for (const picture of pictures) await shoot(picture);
  await browser.close();
}

function viewsOf({ id, withPhoto, templateId, delivery }) {
  const tabs = ['preview', 'text', 'timeline', 'delivery', 'links', 'checks', 'code', 'headers', 'structure', 'source'];
  return [
    ['list', '/inbox/emails'],
    ['search', '/inbox/emails?search=subject:reset'],
    ['no-match', '/inbox/emails?search=subject:nothing'],
    ['not-found', '/inbox/nothing'],
    ['compose', '/inbox/compose'],
    ['edit-as-new', `/inbox/compose?from=${withPhoto}`],
    ['rules', '/inbox/rules'],
    ['clock', '/inbox/clock'],
    ['templates', '/inbox/templates'],
    ['template', `/inbox/templates/${templateId}`],
    ['template-data', `/inbox/templates/${templateId}?part=data`],
    ['webhooks', '/inbox/webhooks'],
    ['webhook-delivery', `/inbox/webhooks/deliveries/${delivery}`],
    ['requests', '/inbox/requests'],
    ['smtp', '/inbox/smtp'],
    ['attachments', `/inbox/emails/${withPhoto}/attachments`],
    ['analytics', '/inbox/analytics'],
    ['domains', '/inbox/domains'],
    ['domain', `/inbox/domains/${domains.at(-1)}`],
    ['api-keys', '/inbox/api-keys'],
    ['suppressions', '/inbox/suppressions'],
    ...tabs.map((tab) => [tab, `/inbox/emails/${id}/${tab}`]),
  ];
}

function everywhere(name, path) {
  return [1440, 1024, 390].flatMap((width) =>
    ['light', 'dark'].map((theme) => ({ file: join(directory, `${name}-${width}-${theme}.png`), path, width, theme })),
  );
}

async function shot(browser, origin, { file, path, width, theme }) {
  const viewport = { width, height: HEIGHT };
  const context = await browser.newContext({ viewport, colorScheme: theme, timezoneId: 'UTC', locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(origin + path);
  await page.locator('[data-connection="live"]').waitFor({ state: 'attached' });
  await page.waitForTimeout(SETTLE_MS);
  await page.getByRole('status').filter({ hasText: '…' }).first().waitFor({ state: 'detached' });
  await Promise.all(page.frames().map((frame) => frame.waitForLoadState()));
  await page.screenshot({ path: file });
  await context.close();
}
