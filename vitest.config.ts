import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [
    {
      // As the build does: a migration is imported as its text.
      name: 'sql-as-text',
      load: (id) => (id.endsWith('.sql') ? `export default ${JSON.stringify(readFileSync(id, 'utf8'))}` : undefined),
    },
  ],
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/seed.ts', 'test/support/umask.ts'],
    pool: 'forks',
    // Most tests wait for processes of their own; one file at a time would leave a machine of two cores idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // .ci/run counts the tests from this file.
    ...(process.env.SVC_TEST_REPORT && {
      reporters: ['default', 'json'],
      outputFile: { json: process.env.SVC_TEST_REPORT },
    }),
    // What every svc that a test starts keeps compiled: not in the cache of whoever runs the tests.
    env: { XDG_CACHE_HOME: fileURLToPath(new URL('node_modules/.cache/svc-tests', import.meta.url)) },
    // Real processes and a real disk: a limit for what hangs, not a measure.
    testTimeout: 60_000,
    hookTimeout: 180_000,
  },
});
