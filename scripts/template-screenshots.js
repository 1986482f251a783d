/** Takes the pictures of templates in the docs with svc itself: `npm run screenshot:templates`. Needs fonts-dejavu. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const images = join(root, 'docs/images');
const env = { ...process.env, SVC_FONTS: '/usr/share/fonts/truetype/dejavu', SVC_BROWSER_SANDBOX: '0' };
const folder = mkdtempSync(join(tmpdir(), 'svc-screenshots-'));
const emails = join(folder, 'emails');

function svc(exitCode, ...args) {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'bin/run.js'), ...args], { cwd: folder, env });
  if (status !== exitCode) throw new Error(`svc ${args.join(' ')} ended with ${status}: ${stderr}`);
}

try {
  cpSync(join(root, 'examples/templates'), emails, { recursive: true });
  svc(0, 'templates', 'screenshot', 'emails', '--dark', '--width', '375', '--output', 'shots');
  copyFileSync(join(folder, 'shots/order-375-dark.png'), join(images, 'template-dark.png'));

  const compare = ['templates', 'check', 'emails', '--baseline', 'pictures', '--width', '375'];
  svc(0, ...compare, '--update');
  // The change of a pull request that breaks the button.
  const body = join(emails, 'order/body.html');
  writeFileSync(body, readFileSync(body, 'utf8').replace('<a href="{{url}}" style="', '<a href="{{url}}" stlye="'));
  svc(3, ...compare);
  copyFileSync(join(folder, 'pictures/order-375.diff.png'), join(images, 'template-difference.png'));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
