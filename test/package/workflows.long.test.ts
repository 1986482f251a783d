import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT, temporaryDirectory } from '../support/cli/binary.js';
import { elsewhere, installPackage } from '../support/cli/package.js';
import { runTool, skippedWithout } from '../support/cli/tools.js';

/** Lints the workflows for a forge, and runs their scripts that need no forge. */

const ACTIONLINT = 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12';
const withoutGo = skippedWithout('go', spawnSync('go', ['version']).error === undefined);

/** Returns the script of the step with this name. */
function scriptOf(file: string, step: string): string {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const [, rest = ''] = text.split(`- name: ${step}\n`);
  const [, indent = '', first = ''] = /^ +run: \|\n( +)(.*)$/m.exec(rest) ?? [];
  const lines = rest.slice(rest.indexOf(indent + first)).split('\n');
  const end = lines.findIndex((line) => line !== '' && !line.startsWith(indent));
  return (end < 0 ? lines : lines.slice(0, end)).map((line) => line.slice(indent.length)).join('\n');
}

/** Runs a script as the forge does for `shell: bash`. */
function runStep(script: string, cwd: string, env: Record<string, string>) {
  const file = join(cwd, 'step.sh');
  writeFileSync(file, script);
  return spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', file], {
    ...{ cwd, encoding: 'utf8' as const, env: { ...elsewhere(), ...env } },
  });
}

it.skipIf(withoutGo)(`the workflows are valid${withoutGo}`, { timeout: 300_000 }, async () => {
  const files = ['test.yml', 'release.yml'].map((name) => join('.github/workflows', name));
  expect(await runTool('go', ['run', ACTIONLINT, ...files], '', { cwd: ROOT, env: elsewhere() })).toBe('');
});

it('the release refuses a tag that is not the version', () => {
  const script = scriptOf('.github/workflows/release.yml', 'Compare the tag with the version');
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const folder = temporaryDirectory();
  writeFileSync(join(folder.path, 'package.json'), JSON.stringify({ version }));
  const check = (tag: string) => runStep(script, folder.path, { GITHUB_REF_NAME: tag });

  expect(check(`v${version}`)).toMatchObject({ status: 0, stdout: '' });
  expect(check('v9.9.9')).toMatchObject({
    status: 1,
    stdout: `The tag is v9.9.9, and package.json has version ${version}.\n`,
  });
  folder.remove();
});

describe('the action', () => {
  const folder = temporaryDirectory();
  let app: string;
  beforeAll(async () => {
    ({ app } = await installPackage(folder.path));
  });
  afterAll(() => folder.remove());

  const run = (COMMAND: string, FLAGS = '') => {
    const GITHUB_STEP_SUMMARY = join(app, 'summary.md');
    const env = { COMMAND, FLAGS, VERSION: 'latest', GITHUB_STEP_SUMMARY };
    return { ...runStep(scriptOf('action.yml', 'Run the command'), app, env), summary: GITHUB_STEP_SUMMARY };
  };

  it('runs a command with the svc of the project, and its flags', () => {
    const { status, stderr, summary } = run(
      'npx svc emails send --to ada@example.test --from shop@shop.example | cat',
      '--strict\n--domain shop.example\n',
    );
    expect([status, stderr]).toEqual([0, expect.stringContaining('No warnings since ')]);
    expect(readFileSync(summary, 'utf8')).toContain('ada@example.test');
    expect(existsSync(join(app, 'svc-artifacts'))).toBe(false);
  });

  it('fails if a part of the command fails, and keeps what was captured', () => {
    const { status } = run('npx svc emails send --to grace@example.test; false | cat; true');
    expect(status).toBe(1);
    expect(readFileSync(join(app, 'svc-artifacts/index.html'), 'utf8')).toContain('grace@example.test');
    expect(existsSync(join(app, 'svc-report.xml'))).toBe(true);
  });
});
