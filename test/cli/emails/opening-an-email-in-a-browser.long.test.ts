import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { startDev, svc, temporaryDirectory } from '../../support/cli/binary.js';
import { hostileMessage, watchedServer } from '../../support/mail/hostile-message.js';
import { deliver } from '../../support/mail/smtp-session.js';
import { withoutBrowser } from '../../support/web/browser.js';
import { openFile, untilRed } from '../../support/web/opened-file.js';

/** Tests what a browser does with the page of an email: `svc emails open`, and index.html of --save. */

it.skipIf(withoutBrowser)(
  `shows inline images, runs no script and loads nothing from the network${withoutBrowser}`,
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
    const opened = await openFile(page, { width: 800, height: 600 });
    await untilRed(opened.page, picture, 200 * 90);
    expect(opened.messages.join('\n')).toContain('Blocked script execution');
    expect(asked).toEqual([]);

    await opened.close();
    close();
    folder.remove();
  },
);
