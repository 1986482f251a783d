import { execFile } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { ROOT, startDev, svc, temporaryDirectory } from '../../support/cli/binary.js';
import { runTool, skippedWithout } from '../../support/cli/tools.js';
import { hostileMessage, watchedServer } from '../../support/mail/hostile-message.js';
import { deliver } from '../../support/mail/smtp-session.js';

/** Tests what a browser does with the page of an email: `svc emails open`, and index.html of --save. */

const CHROMIUM = 'chromium';
const withoutChromium = skippedWithout(CHROMIUM);
const PIXEL_COUNTER = join(ROOT, 'test/support/mail/count_pixels.py');

it.skipIf(withoutChromium)(
  `shows inline images, runs no script and loads nothing from the network${withoutChromium}`,
  async () => {
    const { address, asked, close } = await watchedServer();
    const folder = temporaryDirectory();
    // Takes a picture of the page instead of showing it.
    const browser = join(folder.path, 'browser');
    const picture = join(folder.path, 'page.png');
    writeFileSync(browser, '#!/bin/sh\nexit 0\n');
    chmodSync(browser, 0o755);
    const dev = await startDev(['--data-dir', join(folder.path, 'data')]);
    await deliver(dev.ready.smtp, hostileMessage(address));
    // Without a server, the command writes a page.
    await dev.stop();

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
      '--run-all-compositor-stages-before-draw',
      '--window-size=800,600',
      `--screenshot=${picture}`,
      page,
    ]);
    expect(stderr).toContain('Blocked script execution');
    expect(asked).toEqual([]);
    const red = Number(await runTool('python3', [PIXEL_COUNTER, picture, '255', '0', '0']));
    expect(red).toBeGreaterThan(200 * 90);

    close();
    folder.remove();
  },
);
