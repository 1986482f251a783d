import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BundledProgram, bundledProgram } from '../../support/bundled-program.js';
import { controlRequests } from './control-requests.js';
import { checkInput, css, extractInput, frameInput, mailbox, query, snapshot, template } from './inputs.js';
import type { OracleName } from './oracles.js';
import { runInChild } from './run-in-child.js';

const SEED = fc.readConfigureGlobal().seed ?? 0;
const { SVC_FUZZ_RUNS } = process.env;
/** More than any input takes: the example of a clock that is advanced waits up to 90 s for webhook attempts. */
const LIMIT_MS = 120_000;
/** Enough for all inputs of a long run: each has a limit of its own. */
const TEST_MS = 4 * 3_600_000;

/** The inputs of each oracle, and how many of them `npm run test:long` tries. */
const table: [oracle: OracleName, runs: number, inputs: fc.Arbitrary<unknown>][] = [
  ['query', 500, query],
  ['control', 250, controlRequests()],
  ['mailbox', 1_000, mailbox],
  ['template', 1_000, template],
  ['checks', 250, checkInput],
  ['css', 250, css],
  ['extraction', 500, extractInput],
  ['frame', 500, frameInput],
  ['snapshot', 500, snapshot],
];

let program: BundledProgram;
beforeAll(async () => {
  program = await bundledProgram('test/fuzz/isolated/child.ts');
});
afterAll(() => program?.remove());

describe(`generated inputs, in a process that can be killed (seed ${SEED})`, () => {
  it.each(table)(
    '%s',
    async (oracle, defaultRuns, inputs) => {
      const runs = Number(SVC_FUZZ_RUNS ?? defaultRuns);
      const figures = await runInChild({ program, oracle, inputs, runs, seed: SEED, limitMs: LIMIT_MS });
      console.log(`${oracle}: ${JSON.stringify(figures)}, seed ${SEED}`);
      expect(figures.inputs).toBe(runs);
    },
    TEST_MS,
  );
});

describe('the runner', () => {
  it('kills a process that hangs, and reports the seed and the inputs that repeat it', async () => {
    const plan = { program, oracle: 'second hangs' as const, inputs: fc.nat(), runs: 20, seed: SEED, limitMs: 3_000 };
    const error: Error = await runInChild(plan).catch((thrown) => thrown);
    expect(error.message).toContain('No result after 3000 ms. The process was killed.');
    expect(error.message).toContain(`SVC_FUZZ_SEED=${SEED} and SVC_FUZZ_RUNS=2.`);
    expect(error.message).toContain('These 2 inputs in one process repeat it:');
  });
});
