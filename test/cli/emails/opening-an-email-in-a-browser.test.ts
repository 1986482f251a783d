import { execFile } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { ROOT, startDev, svc, temporaryDirectory } from '../../support/cli/binary.js';
import { runTool, skippedWithout } from '../../support/cli/tools.js';
import { deliver } from '../../support/mail/smtp-session.js';

/** Tests what a browser does with the page of an email: `svc emails open`, and index.html of --save. */

const CHROMIUM = 'chromium';
const withoutChromium = skippedWithout(CHROMIUM);
const PIXEL_COUNTER = join(ROOT, 'test/support/mail/count_pixels.py');
/** One red pixel. */
const RED = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';

/** Returns a message with an inline image that tries everything to reach the address or to run a script. */
function hostileMessage(address: string): string {
  const html = `<!doctype html><html><head><base href="${address}/base/">
<meta http-equiv="refresh" content="0;url=${address}/refresh">
<style>@import "${address}/import.css"; p { background: url(${address}/style.png) }</style>
<link rel="stylesheet" href="${address}/link.css"><link rel="prefetch" href="${address}/prefetch">
<style><!--</style><LINK
rel="preconnect" href="${address}"><link/rel="preconnect" href="${address}"><!-- -->
<script src="${address}/script.js"></script><script>fetch('${address}/fetch')</script></head>
<body onload="new Image().src='${address}/onload'" background="${address}/background.png">
<p>Hello <img src="cid:logo%40shop" width="200" height="100"></p>
<img src="${address}/pixel.gif" srcset="${address}/set.png 2x"><img src="relative.png" onerror="fetch('${address}/error')">
<iframe src="${address}/frame"></iframe><iframe srcdoc="&lt;link rel=preconnect href=${address}&gt;"></iframe>
<object data="${address}/object"></object><embed src="${address}/embed">
<video src="${address}/video" poster="${address}/poster" autoplay></video>
<svg><image href="${address}/svg.png"/></svg>
<form id="f" action="${address}/form"><input autofocus onfocus="f.submit()"></form></body></html>`;
  return [
    'From: Shop <shop@example.test>',
    'To: ada@example.test',
    'Subject: "><script>document.title=1</script>',
    'MIME-Version: 1.0',
    'Content-Type: multipart/related; boundary=x',
    '',
    '--x',
    'Content-Type: text/html; charset=utf-8',
    '',
    html.replaceAll('\n', '\r\n'),
    '--x',
    'Content-Type: image/png',
    'Content-Transfer-Encoding: base64',
    'Content-ID: <logo@shop>',
    '',
    RED,
    '--x--',
    '',
  ].join('\r\n');
}

it.skipIf(withoutChromium)(
  `shows inline images, runs no script and loads nothing from the network${withoutChromium}`,
  async () => {
    const asked: string[] = [];
    const remote = createServer(({ url = '' }, response) => {
      asked.push(url);
      response.end();
    });
    // A connection without a request also reports that the email was opened.
    remote.on('connection', () => asked.push('a connection'));
    await new Promise<void>((listening) => remote.listen(0, '127.0.0.1', listening));
    const address = `http://127.0.0.1:${(remote.address() as AddressInfo).port}`;
    const folder = temporaryDirectory();
    // Takes a picture of the page instead of showing it.
    const browser = join(folder.path, 'browser');
    const picture = join(folder.path, 'page.png');
    writeFileSync(browser, '#!/bin/sh\nexit 0\n');
    chmodSync(browser, 0o755);
    const dev = await startDev(['--data-dir', join(folder.path, 'data')]);
    await deliver(dev.ready.smtp, hostileMessage(address));

    const { code, stdout } = await svc(['emails', 'open', '--data-dir', join(folder.path, 'data')], {
      env: { BROWSER: browser, TMPDIR: folder.path },
    });

    expect(code).toBe(0);
    const page = pathToFileURL(stdout.trim()).href;
    const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-background-networking'];
    const { stderr } = await promisify(execFile)(CHROMIUM, [
      ...flags,
      '--enable-logging=stderr',
      '--virtual-time-budget=10000',
      '--window-size=800,600',
      `--screenshot=${picture}`,
      page,
    ]);
    expect(stderr).toContain('Blocked script execution');
    expect(asked).toEqual([]);
    const red = Number(await runTool('python3', [PIXEL_COUNTER, picture, '255', '0', '0']));
    expect(red).toBeGreaterThan(200 * 90);

    await dev.stop();
    remote.close();
    folder.remove();
  },
);
