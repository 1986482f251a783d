import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT, temporaryDirectory } from '../support/cli/binary.js';
import { elsewhere, type InstalledPackage, installPackage } from '../support/cli/package.js';
import { runTool, skippedWithout } from '../support/cli/tools.js';

/** Copies each example and the packed package into a folder, and runs its commands as the README says. */

const EXAMPLES = join(ROOT, 'examples');
/** Directories whose contents are not a project with tests. */
const WITHOUT_TESTS = ['ci', 'containers', 'templates'];

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** What each example prints when its tests passed, and the program that it needs. */
const expected: Record<string, { prints: RegExp; needs?: string }> = {
  'express-nodemailer': { prints: /^# pass 1$|pass 1\b/m },
  jest: { prints: /Tests: +1 passed, 1 total/ },
  'node-test': { prints: /^# pass 2$|pass 2\b/m },
  playwright: { prints: /1 passed/, needs: 'chromium' },
  pytest: { prints: /2 passed/, needs: 'pytest' },
  shell: { prints: /The sign-up works\./, needs: 'curl' },
  vitest: { prints: /Tests +2 passed/ },
};

type Manifest = Partial<Record<'dependencies' | 'devDependencies', Record<string, string>>>;
const manifestOf = (name: string): Manifest => JSON.parse(readFileSync(join(EXAMPLES, name, 'package.json'), 'utf8'));

describe('the examples', () => {
  const folder = temporaryDirectory();
  let installed: InstalledPackage;

  beforeAll(async () => {
    installed = await installPackage(folder.path);
  });
  afterAll(() => folder.remove());

  it('are all tested', () => {
    const directories = readdirSync(EXAMPLES).filter((name) => !name.includes('.') && !WITHOUT_TESTS.includes(name));
    expect(directories.sort()).toEqual(Object.keys(expected).sort());
  });

  // Anybody could register a name that only the registry resolves.
  it.each(Object.keys(expected))('%s depends on the packed package next to it', (name) => {
    const { devDependencies } = manifestOf(name);
    expect(devDependencies?.['svc-cli']).toBe(`file:svc-cli-${version}.tgz`);
  });

  for (const [name, { prints, needs }] of Object.entries(expected)) {
    const skipped = needs === undefined ? '' : skippedWithout(needs);
    it.skipIf(skipped)(`${name}: installs and passes${skipped}`, async () => {
      // jest reports on stderr.
      expect(await runTests(name, 'sh', ['-c', 'npm test 2>&1'])).toMatch(prints);
    });
  }

  const lineOf = (file: string) =>
    readFileSync(join(EXAMPLES, 'ci', file), 'utf8').match(/npx svc dev exec .*/)?.[0] ?? '';

  // The shell of the job runs the line in a project whose tests pass, and in one whose tests fail.
  it('ci/github-actions.yml runs the tests, and keeps a report', async () => {
    const name = 'shell';
    const line = lineOf('github-actions.yml');
    expect(line).toMatch(/ -- npm test$/);

    expect(await runTests(name, 'sh', ['-c', line])).toMatch(/The sign-up works\./);
    expect(readFileSync(join(folder.path, name, 'svc-report.xml'), 'utf8')).toContain('<testsuites');
    expect(existsSync(join(folder.path, name, 'svc-artifacts'))).toBe(false);
    const failing = line.replace('npm test', 'sh -c "npm test; exit 1"');
    await expect(runTests(name, 'sh', ['-c', failing])).rejects.toThrow();
    expect(existsSync(join(folder.path, name, 'svc-artifacts', 'index.html'))).toBe(true);
  });

  it('ci/gitlab-ci.yml runs the same line without a summary', () => {
    expect(lineOf('gitlab-ci.yml')).toBe(lineOf('github-actions.yml').replace(' --summary', ''));
  });

  /** Runs a command in a copy of the example with its dependencies. Returns what it printed. */
  async function runTests(name: string, command: string, args: string[]): Promise<string> {
    const directory = join(folder.path, name);
    if (!existsSync(directory)) {
      cpSync(join(EXAMPLES, name), directory, { recursive: true });
      const { dependencies, devDependencies } = manifestOf(name);
      // One example gets all of its packages at once. The others share those of svc.
      if (dependencies) await installed.installProject(directory);
      else if (Object.keys({ ...devDependencies }).length > 1) await installed.addToSvc(directory);
      else symlinkSync(join(installed.app, 'node_modules'), join(directory, 'node_modules'));
    }
    const env = elsewhere();
    const path = [join(directory, 'node_modules', '.bin'), env.PATH].join(delimiter);
    return runTool(command, args, '', {
      cwd: directory,
      env: { ...env, PATH: path, NO_COLOR: '1', CHROMIUM_PATH: '/usr/bin/chromium' },
    });
  }
}, 600_000);
