import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { HEIGHT_MAX, openPictures, type PictureOptions, type Pictures } from '../../src/pictures/pictures.js';
import { startServer } from '../../src/testing/index.js';
import { svc } from '../support/cli/binary.js';
import { folderOfEachTest } from '../support/each-test.js';
import { chromiumPath, headlessPath, withoutChromium } from '../support/web/chromium-path.js';

const env = { ...process.env, SVC_BROWSER: headlessPath, SVC_BROWSER_SANDBOX: '0' };

/** Returns the color in the middle of a picture, such as `255,0,0`. */
function middleOf(png: Buffer): string {
  const { width, height, data } = PNG.sync.read(png);
  const at = (Math.floor(height / 2) * width + Math.floor(width / 2)) * 4;
  return data.subarray(at, at + 3).join();
}

const RED = '255,0,0';
const LIME = '0,255,0';
const filled = (color: string) => `<body style="margin:0"><div style="height:300px;background:${color}"></div>`;

describe.skipIf(withoutChromium)(`a browser${withoutChromium}`, () => {
  let pictures: Pictures;
  beforeAll(async () => {
    pictures = await openPictures({ env });
  });
  afterAll(() => pictures.close());

  const take = (html: string, options: PictureOptions = {}) => pictures.take({ html, text: '' }, options);

  it('shows the whole email in the chosen width', async () => {
    const picture = await take(filled('red'), { width: 375 });

    expect(picture).toMatchObject({ width: 375, height: 300, cut: false });
    expect(middleOf(picture.png)).toBe(RED);
  });

  it('shows the colors for a user who prefers dark ones', async () => {
    const html = `<style>div { background: red !important }
      @media (prefers-color-scheme: dark) { div { background: lime !important } }</style>${filled('red')}`;

    expect(middleOf((await take(html)).png)).toBe(RED);
    expect(middleOf((await take(html, { dark: true })).png)).toBe(LIME);
  });

  it('shows the images of the message, and plain text', async () => {
    const svg = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="300"><rect width="600" height="300" fill="lime"/></svg>',
    );
    const images = new Map([['logo', { type: 'image/svg+xml', bytes: svg }]]);
    const shown = await pictures.take({ html: '<body style="margin:0"><img src="cid:logo">', text: '', images });
    expect(middleOf(shown.png)).toBe(LIME);

    const lines = 'line\n'.repeat(30);
    expect((await pictures.take({ html: '', text: lines })).height).toBeGreaterThan(300);
  });

  it('runs no script, and connects to no server', async () => {
    const connections: string[] = [];
    const server = createServer((socket) => {
      connections.push('connection');
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x`;
    const html = `<link rel="preconnect" href="${url}"><link rel="stylesheet" href="${url}">
      <link rel="prefetch" href="${url}"><meta http-equiv="refresh" content="0;url=${url}">
      <style>@import url(${url}); @font-face { font-family: f; src: url(${url}) } p { font-family: f }</style>
      <iframe src="${url}"></iframe><iframe src="http://email.invalid/"></iframe><object data="${url}"></object>
      <iframe src="file:///etc/passwd"></iframe><img src="${url}" srcset="${url} 2x"><video src="${url}" autoplay></video>
      <script>document.body.innerHTML = '<div style="height:5000px">'</script>
      <img src="x" onerror="document.body.innerHTML = '<div style=height:5000px>'"><p>Hello</p>`;

    const { height } = await take(html);
    await take(filled('red'));
    server.close();

    expect(connections).toEqual([]);
    expect(height).toBeLessThan(5_000);
  });

  it('takes the same picture of an endless animation each time', async () => {
    const html = `<style>@keyframes blink { from { background: red } to { background: lime } }
      div { animation: blink 1s infinite }</style>${filled('blue')}`;

    expect(middleOf((await take(html)).png)).toBe('0,0,255');
    expect((await take(html)).png.equals((await take(html)).png)).toBe(true);
  });

  it('is not misled by elements that are named like properties of the document', async () => {
    const html = `${['body', 'documentElement', 'getAnimations', 'querySelectorAll', 'createTreeWalker', 'defaultView']
      .map((name) => `<form name="${name}"></form>`)
      .join('')}<p class="x">code 123456</p>`;
    const plain = await take(html);

    const stable = await pictures.take({ html, text: '' }, { stable: () => '[code]', mask: ['.x'] });

    expect(stable.png.equals(plain.png)).toBe(false);
  });

  it('ends the picture of an email that is too high, and takes one of 5 MB', { timeout: 180_000 }, async () => {
    const high = await take('<div style="height:1000000px"></div>');
    expect(high).toMatchObject({ height: HEIGHT_MAX, cut: true });

    const long = `<p>${'Hello '.repeat(830_000)}</p>`;
    const patient = await openPictures({ env, timeout: 150_000 });
    expect(await patient.take({ html: long, text: '' })).toMatchObject({ height: HEIGHT_MAX, cut: true });
    await patient.close();
  });
});

describe.skipIf(withoutChromium)(`a browser that fails${withoutChromium}`, () => {
  // Its processes are those of a browser that users have.
  const withWindows = { ...env, SVC_BROWSER: chromiumPath };
  const signalling = (signal: NodeJS.Signals) => (pid: number) => (text: string) => {
    process.kill(-pid, signal);
    return `${text}!`;
  };
  const stopping = signalling('SIGSTOP');
  const killing = signalling('SIGKILL');

  it('is ended if it hangs', async () => {
    const pictures = await openPictures({ env: withWindows, timeout: 3_000 });
    const pid = pictures.pid as number;
    const hanging = pictures.take({ html: '<p>Hello</p>', text: '' }, { stable: stopping(pid) });

    await expect(hanging).rejects.toThrow(/did not show the email within 3 s/);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    await expect(pictures.take({ html: '<p>Hello</p>', text: '' })).rejects.toThrow('The browser has ended.');
    await pictures.close();
  });

  it('is reported if it crashes', async () => {
    const pictures = await openPictures({ env: withWindows });
    const pid = pictures.pid as number;
    const killed = pictures.take({ html: '<p>Hello</p>', text: '' }, { stable: killing(pid) });

    await expect(killed).rejects.toThrow(/The browser (?:crashed|failed)/);
    await pictures.close();
  });
});

it('the test kit names the next step if no picture can be taken', async () => {
  vi.stubEnv('SVC_BROWSER', '/nowhere/chrome');
  vi.stubEnv('SVC_BROWSER_SANDBOX', '0');
  await using server = await startServer({ inProcess: true });
  const message = { from: 'shop@example.test', to: 'ada@example.test', subject: 'Hi', html: '<p>Hi</p>' };
  await createTransport({ host: server.smtp.host, port: server.smtp.port }).sendMail(message);
  const email = await server.emails.waitFor({ to: 'ada@example.test' });

  await expect(email.screenshot()).rejects.toMatchObject({
    name: 'PictureError',
    message: expect.stringMatching(/^Cannot start \/nowhere\/chrome: .*\nTo use another browser, set SVC_BROWSER/),
  });
  vi.unstubAllEnvs();
});

it.skipIf(withoutChromium)(`the test kit takes a picture of an email${withoutChromium}`, async () => {
  vi.stubEnv('SVC_BROWSER', headlessPath);
  vi.stubEnv('SVC_BROWSER_SANDBOX', '0');
  await using server = await startServer({ inProcess: true });
  const png = PNG.sync.write(Object.assign(new PNG({ width: 1, height: 1 }), { data: Buffer.from([0, 255, 0, 255]) }));
  const html = '<body style="margin:0"><img src="cid:a" width="600" height="300">';
  await createTransport({ host: server.smtp.host, port: server.smtp.port }).sendMail({
    from: 'shop@example.test',
    to: 'ada@example.test',
    subject: 'Hi',
    html,
    attachments: [{ cid: 'a', content: png, contentType: 'image/png' }],
  });

  const picture = await (await server.emails.waitFor({ to: 'ada@example.test' })).screenshot({ width: 375 });

  expect(middleOf(Buffer.from(picture))).toBe(LIME);
  expect(PNG.sync.read(Buffer.from(picture)).width).toBe(375);
  vi.unstubAllEnvs();
});

it.skipIf(withoutChromium)(`the test kit shows what a mail client shows${withoutChromium}`, async () => {
  vi.stubEnv('SVC_BROWSER', headlessPath);
  vi.stubEnv('SVC_BROWSER_SANDBOX', '0');
  await using server = await startServer({ inProcess: true });
  const message = { from: 'shop@example.test', to: 'ada@example.test', subject: 'Hi', html: filled('white') };
  await createTransport({ host: server.smtp.host, port: server.smtp.port }).sendMail(message);
  const email = await server.emails.waitFor({ to: 'ada@example.test' });

  const picture = await email.screenshot({ client: 'outlook', dark: true });

  expect(middleOf(Buffer.from(picture))).toBe('51,51,51');
  for (const client of ['outlook.windows', 'eudora']) {
    await expect(email.screenshot({ client: client as 'outlook' })).rejects.toThrow(
      `"${client}" is not a mail client whose view can be shown.`,
    );
  }
  vi.unstubAllEnvs();
});

describe('svc templates screenshot and svc emails screenshot', () => {
  const folder = folderOfEachTest();
  const run = (args: string[], more: Record<string, string | undefined> = {}) =>
    svc(args, {
      cwd: folder.path,
      env: { SVC_DATA_DIR: join(folder.path, 'data'), SVC_BROWSER: headlessPath, ...more },
    });

  function writeTemplate(name: string): void {
    const path = join(folder.path, 'emails', name);
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, 'template.json'), JSON.stringify({ name, subject: 'Hi' }));
    writeFileSync(join(path, 'body.html'), filled('red'));
  }

  it.skipIf(withoutChromium)(`write PNG files${withoutChromium}`, async () => {
    writeTemplate('order');
    const email = [
      '--to',
      'ada@example.test',
      '--from',
      'shop@example.test',
      '--subject',
      'Hi',
      '--html',
      filled('lime'),
    ];
    const { stdout } = await run(['emails', 'send', ...email, '--json']);
    const { id } = JSON.parse(stdout);

    const withWindows = { SVC_BROWSER: chromiumPath };
    const size = ['--dark', '--width', '375', '--no-sandbox'];
    const templates = await run(['templates', 'screenshot', 'emails', ...size], withWindows);
    const emails = await run(['emails', 'screenshot', '--no-sandbox', '--json'], withWindows);

    const file = join(folder.path, 'screenshots/order-375-dark.png');
    expect(templates).toMatchObject({ code: 0, stdout: `${file}\n`, stderr: '1 picture written.\n' });
    expect(middleOf(readFileSync(file))).toBe(RED);
    expect(JSON.parse(emails.stdout)).toEqual({
      ...{ id, file: join(folder.path, `${id}.png`), width: 600, height: 300, cut: false },
    });
    expect(middleOf(readFileSync(join(folder.path, `${id}.png`)))).toBe(LIME);
  });

  it('show what a mail client shows', async () => {
    writeTemplate('order');
    writeFileSync(join(folder.path, 'emails/order/body.html'), filled('white'));

    const shown = await run([
      ...['templates', 'screenshot', 'emails', '--client', 'outlook', '--dark', '--no-sandbox', '--json'],
    ]);

    const [{ file, client, differences }] = JSON.parse(shown.stdout).pictures;
    expect([file, client]).toEqual([join(folder.path, 'screenshots/order-outlook-dark.png'), 'outlook']);
    expect(middleOf(readFileSync(file))).toBe('51,51,51');
    expect(differences[0]).toMatchObject({ rule: 'dark-mode-partial', where: [{ note: 'white becomes #333333' }] });
  });

  it('name what is missing', async () => {
    writeTemplate('order');
    const nowhere = { SVC_BROWSER: undefined, PATH: folder.path, PLAYWRIGHT_BROWSERS_PATH: folder.path };
    const none = await run(['templates', 'screenshot', 'emails', '--no-sandbox'], nowhere);
    const take = (browser: string) =>
      run(['templates', 'screenshot', 'emails', '--no-sandbox'], { SVC_BROWSER: browser });
    const wrong = await take('/nowhere/chrome');
    writeFileSync(join(folder.path, 'chrome'), '#!/bin/sh\nexit 3\n', { mode: 0o755 });
    const ended = await take(join(folder.path, 'chrome'));

    expect(none.code).toBe(1);
    expect(none.stderr).toContain('No browser found. Pictures need Chrome, Chromium or Edge.');
    expect(wrong.stderr).toContain('Error: Cannot start /nowhere/chrome: it does not exist, or cannot be run.\n');
    expect(ended.stderr).toContain('/chrome: it ended at once, or it is not a browser.\nTo use another browser, set');
    expect(existsSync(join(folder.path, 'screenshots'))).toBe(false);
  });

  it.runIf(process.getuid?.() === 0)('refuse to start a browser without its sandbox for root', async () => {
    writeTemplate('order');
    const refused = await run(['templates', 'screenshot', 'emails']);

    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('pass --no-sandbox')]);
  });
});
