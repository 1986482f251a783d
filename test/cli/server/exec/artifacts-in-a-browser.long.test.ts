import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { svc, temporaryDirectory } from '../../../support/cli/binary.js';
import { hostileMessage, watchedServer } from '../../../support/mail/hostile-message.js';
import { withoutBrowser } from '../../../support/web/browser.js';
import { chromiumPath } from '../../../support/web/chromium-path.js';
import { openFile, untilRed } from '../../../support/web/opened-file.js';

/** Tests what a browser does with index.html of svc dev exec --artifacts, opened as a file. */

it.skipIf(withoutBrowser)(
  `shows the newest email next to the list, runs no script and loads nothing from the network${withoutBrowser}`,
  async () => {
    const { address, asked, close } = await watchedServer();
    const folder = temporaryDirectory();
    const message = join(folder.path, 'message.eml');
    writeFileSync(message, hostileMessage(address));
    const send = `fetch(new URL('/_svc/emails', process.env.SVC_BASE_URL), { method: 'POST', headers: {
        authorization: 'Bearer ' + process.env.SVC_API_KEY, 'content-type': 'message/rfc822' },
      body: fs.readFileSync(${JSON.stringify(message)}) })`;
    const artifacts = join(folder.path, 'artifacts');
    const flags = ['--artifacts', artifacts, '--artifacts-always'];
    const { code } = await svc(['dev', 'exec', '--fresh', ...flags, '--', process.execPath, '-e', send], {
      env: { SVC_BROWSER: chromiumPath, SVC_BROWSER_SANDBOX: '0' },
    });
    expect(code).toBe(0);
    const [png = ''] = readdirSync(join(artifacts, 'messages')).filter((name) => name.endsWith('.png'));
    expect(
      readFileSync(join(artifacts, 'messages', png))
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    expect(readFileSync(join(artifacts, 'index.html'), 'utf8')).toContain(`href="messages/${png}"`);

    const picture = join(folder.path, 'page.png');
    const opened = await openFile(pathToFileURL(join(artifacts, 'index.html')).href, { width: 1600, height: 800 });
    await untilRed(opened.page, picture, 200 * 90);
    expect(opened.messages.join('\n')).toContain('Blocked script execution');
    expect(asked).toEqual([]);

    await opened.close();
    close();
    folder.remove();
  },
);
