import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import fc from 'fast-check';
import type { BundledProgram } from '../../support/bundled-program.js';
import type { Reply, Request } from './child.js';
import type { OracleName } from './oracles.js';

/**
 * Runs generated inputs against an oracle in a child process. A test cannot stop a loop in its own process, but it can
 * kill another one. The inputs of a sequence share a process, so that state which outlives a call is found too.
 */

/** Inputs of one process. */
const SEQUENCE = 1_000;
/** Time to find a shorter sequence that fails the same way. */
const REDUCTION_MS = 60_000;
const START_MS = 300_000;
const STDERR_CHARACTERS = 4_000;

export interface Plan<Input> {
  /** The bundle of child.ts. */
  program: BundledProgram;
  oracle: OracleName;
  inputs: fc.Arbitrary<Input>;
  runs: number;
  seed: number;
  /** Time limit of one input in milliseconds. The child is killed after it. */
  limitMs: number;
}

export interface Figures {
  inputs: number;
  /** The time that the slowest input took, in milliseconds. */
  slowestMs: number;
  /** The number of inputs by what the oracle returned, such as a status. */
  outcomes: Record<string, number>;
}

/**
 * Runs the plan, in sequences.
 * @throws Error for the first input that fails or takes too long, with the seed and the inputs that repeat it
 */
export async function runInChild<Input>(plan: Plan<Input>): Promise<Figures> {
  const figures: Figures = { inputs: 0, slowestMs: 0, outcomes: {} };
  for (let done = 0; done < plan.runs; done += SEQUENCE) {
    const numRuns = Math.min(SEQUENCE, plan.runs - done);
    // A sequence is repeated by its own seed.
    const seed = plan.seed + done;
    const inputs = fc.sample(plan.inputs, { numRuns, seed });
    const failure = await runSequence(plan, inputs, figures);
    if (failure) throw await report(plan, { failure, seed, inputs: inputs.slice(0, failure.index + 1) });
  }
  return figures;
}

interface Failure {
  index: number;
  reason: string;
}

/** Runs inputs in a new process. Returns the first failure. */
async function runSequence<Input>(
  { program, oracle, limitMs }: Plan<Input>,
  inputs: readonly Input[],
  figures?: Figures,
): Promise<Failure | undefined> {
  const child = fork(program.file, [oracle], { serialization: 'advanced', stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  let stderr = '';
  child.stderr?.on('data', (text) => {
    stderr = `${stderr}${text}`.slice(-STDERR_CHARACTERS);
  });
  try {
    const started = await nextReply(child, START_MS);
    if ('problem' in started) throw new Error(`The child did not start: ${started.problem}\n${stderr}`);
    for (const [index, input] of inputs.entries()) {
      const request: Request = { oracle, input };
      child.send(request);
      const reply = await nextReply(child, limitMs);
      if ('problem' in reply) return { index, reason: [reply.problem, stderr].join('\n').trim() };
      if (!figures) continue;
      figures.inputs += 1;
      figures.slowestMs = Math.max(figures.slowestMs, reply.ms);
      figures.outcomes[reply.outcome] = (figures.outcomes[reply.outcome] ?? 0) + 1;
    }
    return undefined;
  } finally {
    child.kill('SIGKILL');
  }
}

/** Returns the child's next reply; a problem if it has none within the limit, or ends. */
async function nextReply(child: ChildProcess, limitMs: number): Promise<Reply> {
  const waiting = new AbortController();
  const { signal } = waiting;
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([reply]) => reply as Reply),
      once(child, 'exit', { signal }).then(([code, by]) => ({ problem: `The process ended: ${code ?? by}` })),
      new Promise<Reply>((resolve) => {
        timer = setTimeout(
          () => resolve({ problem: `No result after ${limitMs} ms. The process was killed.` }),
          limitMs,
        );
      }),
    ]);
  } finally {
    clearTimeout(timer);
    waiting.abort();
  }
}

async function report<Input>(
  plan: Plan<Input>,
  { failure, seed, inputs }: { failure: Failure; seed: number; inputs: Input[] },
): Promise<Error> {
  const shorter = await reduced(plan, inputs);
  const shown = shorter.map((input) => JSON.stringify(input, bytesAsText));
  return new Error(
    [
      `${plan.oracle}: ${failure.reason}`,
      `Input ${failure.index + 1} of the sequence with SVC_FUZZ_SEED=${seed} and SVC_FUZZ_RUNS=${inputs.length}.`,
      `These ${shorter.length} inputs in one process repeat it:`,
      ...shown,
    ].join('\n'),
  );
}

function bytesAsText(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? { latin1: Buffer.from(value).toString('latin1') } : value;
}

/** Returns a part of a failing sequence that fails too: the last input, with as few of the earlier ones as it needs. */
async function reduced<Input>(plan: Plan<Input>, inputs: Input[]): Promise<Input[]> {
  const until = Date.now() + REDUCTION_MS;
  const fails = async (some: Input[]) =>
    Date.now() < until && (await runSequence(plan, some))?.index === some.length - 1;
  let length = 1;
  while (length < inputs.length && !(await fails(inputs.slice(-length)))) length *= 2;
  let shortest = inputs.slice(-length);
  for (let size = Math.ceil(shortest.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at + size < shortest.length; ) {
      const without = shortest.toSpliced(at, size);
      if (await fails(without)) shortest = without;
      else at += size;
    }
  }
  return shortest;
}
