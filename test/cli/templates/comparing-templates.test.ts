import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { svc, temporaryDirectory } from '../../support/cli/binary.js';

/** Tests patches whose lines are hard to read. */

describe('comparing templates', () => {
  const folder = temporaryDirectory();
  const run = (args: string[], env: Record<string, string> = {}) =>
    svc(args, { cwd: folder.path, env: { SVC_DATA_DIR: join(folder.path, 'data'), ...env } });
  const put = (file: string, text: string) => writeFileSync(join(folder.path, 'templates/hi', file), text);

  beforeAll(async () => {
    mkdirSync(join(folder.path, 'templates/hi'), { recursive: true });
    put('template.json', JSON.stringify({ name: 'hi', subject: 'Hi' }));
    put('body.html', '<p>\nsame\n</p>\n');
    expect(await run(['templates', 'push', '--yes'])).toMatchObject({ code: 0 });
  });
  afterAll(() => folder.remove());

  it('shows a differing line end, and no other control character', async () => {
    put('body.html', '<p>\r\nsame \u001b[31mred\n</p>\n');

    const { code, stdout } = await run(['templates', 'diff']);

    expect(code).toBe(3);
    expect(stdout).toBe(`~ hi (html) changed locally
--- hi (html)\tserver
+++ hi (html)\tlocal
@@ -1,3 +1,3 @@
-<p>
-same
+<p>␍
+same [31mred
 </p>
`);
  });

  it('has the colours of a patch when requested, and none from a template', async () => {
    const { stdout } = await run(['templates', 'diff'], { FORCE_COLOR: '1' });

    expect(stdout).toContain('\u001b[31m-<p>\u001b[0m\n\u001b[31m-same\u001b[0m\n\u001b[32m+<p>␍\u001b[0m\n');
    expect(stdout).toContain('\u001b[32m+same [31mred\u001b[0m\n');
  });

  it('does not compare texts line by line that have almost nothing in common', async () => {
    const lines = (word: string) => Array.from({ length: 5_000 }, (_, line) => `${word} ${line}\n`).join('');
    put('body.html', lines('there'));
    expect(await run(['templates', 'push', '--yes'])).toMatchObject({ code: 0 });
    put('body.html', lines('here'));

    const { code, stdout } = await run(['templates', 'diff']);

    expect({ code, stdout }).toEqual({
      code: 3,
      stdout: '~ hi (html) changed locally\nhi (html): more than 4000 lines differ; use --json to get both texts.\n',
    });
    const { steps } = JSON.parse((await run(['templates', 'diff', '--json'])).stdout);
    expect(steps[0].texts).toEqual({ html: { here: lines('here'), there: lines('there') } });
  });
});
