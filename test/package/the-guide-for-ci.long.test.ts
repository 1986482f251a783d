import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BINARY, ROOT, temporaryDirectory } from '../support/cli/binary.js';
import { elsewhere } from '../support/cli/package.js';
import { runTool, skippedWithout } from '../support/cli/tools.js';

/** Tests what docs/ci.md shows besides commands: a test in Python, and jobs of CI servers. */

const guide = readFileSync(join(ROOT, 'docs/ci.md'), 'utf8');
const blocks = (language: string) =>
  Array.from(guide.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)).flatMap(([, name, text = '']) =>
    name === language ? [text] : [],
  );

const withoutPytest = skippedWithout('pytest');

it.skipIf(withoutPytest)(
  `has a test for pytest that passes, with a helper of at most 15 lines${withoutPytest}`,
  async () => {
    const folder = temporaryDirectory();
    const [test = ''] = blocks('python');
    expect(test.split('\n\n')[1]?.split('\n').length).toBeLessThanOrEqual(15);
    writeFileSync(join(folder.path, 'test_sign_in.py'), test);

    const args = [BINARY, 'dev', 'exec', '--fresh', '--', 'pytest', '-q'];
    const output = await runTool(process.execPath, args, '', { cwd: folder.path, env: elsewhere() });

    expect(output).toContain('1 passed');
    folder.remove();
  },
);

it.each(['github-actions.yml', 'gitlab-ci.yml'])('has the job of examples/ci/%s', (file) => {
  expect(blocks('yaml')).toContain(readFileSync(join(ROOT, 'examples/ci', file), 'utf8'));
});
