import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startDev, svc, temporaryDirectory } from '../support/binary.js';

it('a push knows the local server again when it runs, on whatever port', async () => {
  const folder = temporaryDirectory();
  const dataDir = join(folder.path, 'data');
  const write = (html: string) => {
    mkdirSync(join(folder.path, 'templates/hello'), { recursive: true });
    writeFileSync(join(folder.path, 'templates/hello/template.json'), '{"name":"hello","subject":"Hi"}');
    writeFileSync(join(folder.path, 'templates/hello/body.html'), html);
  };
  const push = () => svc(['templates', 'push', '--data-dir', dataDir], { cwd: folder.path });
  write('first');
  expect(await push()).toMatchObject({ code: 0, stdout: '+ hello only here\n' });
  const dev = await startDev(['--data-dir', dataDir]);
  write('second');

  const pushed = await push();

  expect(await dev.stop()).toBe(0);
  folder.remove();
  expect(pushed).toMatchObject({ code: 0, stdout: '~ hello (html) changed here\n' });
});
