import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

/** `npm run test:fast`: rules over the sources, and the service inside the test's own process. */
const FAST = [
  'test/contract/!(over-http).test.ts',
  'test/{architecture,client,openapi,scenarios,search,storage,templates}/**/*.test.ts',
  // Unit tests in folders of slower ones.
  'test/{cli/errors/masking,cli/output/fitting,mime/simple,smtp/sharing}-*.test.ts',
];
/**
 * What `npm run test:full` adds to `npm test`: many rounds of the same kind, the package as npm installs it, tests
 * with other users, shells, terminals and programs, and those of the command line that start the most processes.
 */
const LONG = [
  'test/**/surviving-sigkill.test.ts',
  'test/fuzz/**/!(oracle|regressions).test.ts',
  'test/scenarios/{jobs/scheduler-order,state/damaged-rows}.test.ts',
  'test/{contributing,corpus,durability,package,script-contract}/**/*.test.ts',
  'test/cli/loader/caching-compiled-code.test.ts',
  'test/cli/{dashboard,data-dir,sendmail,webhooks}/**/*.test.ts',
  'test/cli/variants/every-answer-of-a-service.test.ts',
  'test/cli/on-every-server/!(sending-from-the-command-line).test.ts',
  'test/cli/templates/syncing-templates-with-the-local-server.test.ts',
  'test/cli/emails/{importing-mail,simulating-delivery}.test.ts',
  'test/cli/errors/!(masking-secrets-in-errors|refusing-bad-input).test.ts',
  'test/cli/output/{closing-stdout-early,files-that-cannot-be-written}.test.ts',
  'test/cli/help/{running-every-example,running-the-docs,suggesting-the-next-command}.test.ts',
  'test/{cli/completion/completing-in,security/names-in}-a-shell*.test.ts',
  'test/cli/server/{a-server,dev-server,doctor,faults,releasing,settings-of,stopping}*.test.ts',
  'test/cli/server/{archives,exec}/**/*.test.ts',
  'test/cli/terminal/{asking-on-a-terminal,in-tmux,suspending-a-view}.test.ts',
  'test/{dns/dev-command,lint/slow-regular-expressions,openapi/{docs,generated-clients},security/very-long-subject}.test.ts',
  'test/cli/emails/opening-an-email-in-a-browser.test.ts',
  'test/cli/mcp/a-client-in-python.test.ts',
  'test/{mailpit,pictures}/**/*.test.ts',
  'test/testing/recipes-in-other-languages.test.ts',
  'test/smtp/real-clients*.test.ts',
  'test/web/!(size-of-the-first-view).test.ts',
  // Each starts a PostgreSQL server.
  'test/storage/{postgres/**/*,postgres-store}.test.ts',
  'test/search/searches-in-postgres.test.ts',
  'test/cli/serve/{stopping,backing}*.test.ts',
  // The first waits 30 seconds of real time.
  'test/webhooks/{a-receiver-that-never-answers,receivers-in-other-languages}.test.ts',
];
/**
 * What `npm run test:postgres` runs: every endpoint, and the scenarios whose result depends on queries, transactions or
 * jobs. The reads and writes themselves have the tests of test/storage/conformance, which run on both engines.
 */
const ON_POSTGRES = [
  'test/contract/in-process.test.ts',
  'test/scenarios/{delivery,outcomes,waiting,workspaces}/!(stopping-while|long-searches)*.test.ts',
  'test/scenarios/state/{clock-*,exporting-*,numbers-*,resetting-*,emails/!(noticing-deletions)}.test.ts',
  'test/scenarios/http/{rate-limit-{of,window},request-log}*.test.ts',
  'test/scenarios/inbox/limits-of-sessions.test.ts',
  'test/scenarios/parsing/{mail-that-takes,finding-links}*.test.ts',
  'test/scenarios/resources/{analytics,api-keys}*.test.ts',
  'test/scenarios/sending/{delivery-takes,limits-over,releasing,scheduled,sending}*.test.ts',
  'test/scenarios/tracking/tracking-opens*.test.ts',
];
const isOnPostgres = process.env.SVC_TEST_STORAGE === 'postgres';
/** Tests that replace a module or a function of Node, which the files of a shared process would see. */
const MOCKED = [
  'test/mime/{an-incomplete-installation,failing-to-start-a-worker}.test.ts',
  'test/webhooks/a-first-attempt-that-cannot-be-made.test.ts',
  'test/testing/starting-before-the-tests.test.ts',
];

/** A file belongs to the first of the projects that names it, so that each runs exactly once. */
const project = (name: string, include: string[], exclude: string[], isolate = true) => ({
  extends: true as const,
  test: {
    name,
    include,
    exclude: [...configDefaults.exclude, ...exclude],
    isolate,
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
      project('long', LONG, []),
      // One process loads the service's sources for all of its files: that takes longer than most of them run.
      project('fast', FAST, LONG, false),
      project('slow', ['test/**/*.test.ts'], [...LONG, ...FAST, ...MOCKED], false),
      project('mocked', MOCKED, []),
      ...(isOnPostgres ? [project('postgres', ON_POSTGRES, [], false)] : []),
    ],
    globalSetup: isOnPostgres ? ['test/support/servers/postgres-for-all.ts'] : [],
    setupFiles: [
      'test/support/seed.ts',
      'test/support/umask.ts',
      'test/support/environment.ts',
      'test/support/reported-faults.ts',
    ],
    pool: 'forks',
    // Most tests wait for processes of their own: with a file per core, a machine of two cores is idle half of the time.
    maxWorkers: Math.max(4, availableParallelism()),
    reporters: ['default', './test/support/missing-programs.ts'],
    // .ci/run counts the tests from the reports in this directory, one for each run of vitest.
    ...(process.env.SVC_TEST_REPORTS && {
      reporters: ['default', './test/support/missing-programs.ts', 'json'],
      outputFile: { json: join(process.env.SVC_TEST_REPORTS, `${process.pid}.json`) },
    }),
    // What every svc that a test starts keeps compiled: not in the cache of whoever runs the tests.
    env: { XDG_CACHE_HOME: fileURLToPath(new URL('node_modules/.cache/svc-tests', import.meta.url)) },
    // Real processes and a real disk: limits for what hangs, not measures.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
