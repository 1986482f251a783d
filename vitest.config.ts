import { readFileSync } from 'node:fs';
import { availableParallelism, homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * What `npm run test:full` adds to `npm test`: many rounds of the same kind, the package as npm installs it, tests
 * with other users, shells, terminals and programs, and those of the command line that start the most processes.
 */
const LONG = ['test/**/*.long.test.ts'];
/**
 * What `npm run test:postgres` runs: every endpoint, and the scenarios whose result depends on queries, transactions or
 * jobs. The reads and writes themselves have the tests of test/storage/conformance, which run on both engines.
 */
const ON_POSTGRES = ['test/**/*.engines.test.ts'];
const isOnPostgres = process.env.SVC_TEST_STORAGE === 'postgres';
/** Tests that replace a module or a function of Node, which the files of a shared process would see. */
const MOCKED = ['test/**/*.mocked.test.ts'];

/**
 * Files that take minutes although they are short. Vitest begins with the longest files, so these would come last, and
 * one of them would run alone.
 */
const SLOWEST = [
  'running-every-example',
  'running-the-docs',
  'running-the-examples',
  'every-command',
  'every-answer-of-a-service',
  'messages-of-other-projects',
  'replicas-that-are-killed',
  'surviving-sigkill',
  'pictures-in-the-test-kit',
];

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification) => SLOWEST.some((name) => moduleId.includes(`/${name}.`));
    const sorted = await super.sort(files);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

/** A file belongs to the first of the projects that names it, so that each runs exactly once. */
const project = (name: string, include: string[], exclude: string[], isolate = true) => ({
  extends: true as const,
  test: {
    name,
    include,
    exclude: [...configDefaults.exclude, ...exclude],
    isolate,
    // At the top level it would also run for the root.
    globalSetup: isOnPostgres ? ['test/support/servers/postgres-for-all.ts'] : [],
  },
});

export default defineConfig({
  plugins: [
    {
      // As the build does: a migration is imported as its text.
      name: 'sql-as-text',
      load: (id) => (id.endsWith('.sql') ? `export default ${JSON.stringify(readFileSync(id, 'utf8'))}` : undefined),
    },
  ],
  test: {
    projects: [
      project('long', LONG, [], false),
      // One process loads the service's sources for all of its files: that takes longer than most of them run.
      project('short', ['test/**/*.test.ts'], [...LONG, ...MOCKED], false),
      project('mocked', MOCKED, []),
      ...(isOnPostgres ? [project('postgres', ON_POSTGRES, [], false)] : []),
    ],
    setupFiles: [
      'test/support/seed.ts',
      'test/support/umask.ts',
      'test/support/environment.ts',
      'test/support/reported-faults.ts',
    ],
    sequence: { sequencer: SlowestFirst },
    pool: 'forks',
    // Most tests wait for processes of their own: with a file per core, a machine of two cores is idle half of the time.
    maxWorkers: Math.max(4, availableParallelism()),
    reporters: ['default', './test/support/missing-programs.ts'],
    // .ci/run counts the tests from the reports in this directory, one for each run of vitest.
    ...(process.env.SVC_TEST_REPORTS && {
      reporters: ['default', './test/support/missing-programs.ts', 'json'],
      outputFile: { json: join(process.env.SVC_TEST_REPORTS, `${process.pid}.json`) },
    }),
    env: {
      // The code that svc keeps compiled has a cache of the tests' own.
      XDG_CACHE_HOME: fileURLToPath(new URL('node_modules/.cache/svc-tests', import.meta.url)),
      // Go would compile its library there again.
      GOCACHE: process.env.GOCACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'go-build'),
    },
    // Real processes and a real disk: limits for what hangs, not measures.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
