import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import pjson from '../../package.json' with { type: 'json' };
import { BINARY, ROOT, temporaryDirectory } from '../support/cli/binary.js';
import { elsewhere } from '../support/cli/package.js';
import { runTool, skippedWithout } from '../support/cli/tools.js';

/** Tests the plugin for pytest of `python` as an installed package, with a real server. */

const withoutPytest = skippedWithout('pytest');

// pip fetches what builds the package.
it.skipIf(withoutPytest)(
  `the plugin for pytest works after its installation${withoutPytest}`,
  { timeout: 600_000 },
  async () => {
    const folder = temporaryDirectory();
    const source = join(folder.path, 'python');
    const python = join(folder.path, 'env/bin/python');
    const env = { ...elsewhere(), PIP_DISABLE_PIP_VERSION_CHECK: '1' };
    const run = (program: string, ...args: string[]) => runTool(program, args, '', { cwd: source, env });
    cpSync(join(ROOT, 'python'), source, { recursive: true });
    await run('python3', '-m', 'venv', '--system-site-packages', join(folder.path, 'env'));
    await run(python, '-m', 'pip', 'install', '--quiet', source);

    const pytest = [python, '-m', 'pytest', '-q', 'tests'];
    const output = await run(process.execPath, BINARY, 'dev', 'exec', '--fresh', '--plan', 'none', '--', ...pytest);

    expect(output).toMatch(/^9 passed/m);
    folder.remove();
  },
);

it('the plugin for pytest has the version of svc', () => {
  const project = readFileSync(join(ROOT, 'python/pyproject.toml'), 'utf8');
  expect(project).toContain(`\nversion = "${pjson.version}"\n`);
});
