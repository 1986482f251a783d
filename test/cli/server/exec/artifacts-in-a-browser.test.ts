import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { ROOT, svc, temporaryDirectory } from '../../../support/cli/binary.js';
import { runTool, skippedWithout } from '../../../support/cli/tools.js';
import { hostileMessage, watchedServer } from '../../../support/mail/hostile-message.js';

/** Tests what a browser does with index.html of svc dev exec --artifacts, opened as a file. */

const CHROMIUM = 'chromium';
const withoutChromium = skippedWithout(CHROMIUM);
const PIXEL_COUNTER = join(ROOT, 'test/support/mail/count_pixels.py');

it.skipIf(withoutChromium)(
  `shows the newest email next to the list, runs no script and loads nothing from the network${withoutChromium}`,
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
    const { code } = await svc(['dev', 'exec', '--fresh', ...flags, '--', process.execPath, '-e', send], {});
    expect(code).toBe(0);

    const picture = join(folder.path, 'page.png');
    const { stderr } = await promisify(execFile)(CHROMIUM, [
      ...['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
      ...[
        '--enable-logging=stderr',
        '--virtual-time-budget=10000',
        '--run-all-compositor-stages-before-draw',
        '--window-size=1600,800',
      ],
      ...[`--screenshot=${picture}`, pathToFileURL(join(artifacts, 'index.html')).href],
    ]);

    expect(stderr).toContain('Blocked script execution');
    expect(asked).toEqual([]);
    const red = Number(await runTool('python3', [PIXEL_COUNTER, picture, '255', '0', '0']));
    expect(red).toBeGreaterThan(200 * 90);

    close();
    folder.remove();
  },
);
