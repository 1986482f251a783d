import { defineConfig } from 'vitest/config';

/** For `npm run test:contract`: one run against one server, each row named. */
export default defineConfig({
  test: {
    include: ['test/contract/against.ts'],
    reporters: ['verbose'],
    // A server far away, whose rate limit the suite may have to wait for.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
