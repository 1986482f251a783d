import { spawn } from 'node:child_process';

/**
 * Runs every fuzz test with more cases than `npm run test:long` does, with a new seed for each run. SVC_FUZZ_RUNS sets
 * the number of cases per property (50,000), SVC_FUZZ_SEED the seed. Arguments are passed to vitest: `npm run fuzz --
 * test/fuzz/mail/messages.long.test.ts`.
 */

const { SVC_FUZZ_RUNS = '50000', SVC_FUZZ_SEED = String(Date.now() % 1_000_000_000) } = process.env;
const tests = process.argv.slice(2);
console.log(`SVC_FUZZ_SEED=${SVC_FUZZ_SEED} SVC_FUZZ_RUNS=${SVC_FUZZ_RUNS}`);
const child = spawn('npx', ['vitest', 'run', ...(tests.length > 0 ? tests : ['test/fuzz']), '--testTimeout=14400000'], {
  stdio: 'inherit',
  env: { ...process.env, SVC_FUZZ_RUNS, SVC_FUZZ_SEED },
});
child.on('exit', (code) => {
  console.log(`SVC_FUZZ_SEED=${SVC_FUZZ_SEED} repeats this run.`);
  process.exitCode = code ?? 1;
});
