import { performance } from 'node:perf_hooks';
import { type OracleName, oracles, preparations } from './oracles.js';

/** Runs one input after another against the oracles, for a parent process that can kill this one. */

export interface Request {
  oracle: OracleName;
  input: unknown;
}

export type Reply = { ms: number; outcome: string } | { problem: string };

const send = (reply: Reply) => process.send?.(reply);

process.on('message', async ({ oracle, input }: Request) => {
  const start = performance.now();
  try {
    const outcome = await (oracles[oracle] as (input: unknown) => unknown)(input);
    send({ ms: Math.round(performance.now() - start), outcome: String(outcome ?? 'ok') });
  } catch (error) {
    send({ problem: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});
process.on('unhandledRejection', (reason) => {
  send({ problem: `Unhandled rejection: ${reason instanceof Error ? reason.stack : reason}` });
});
// Loading takes longer than most inputs, and has a limit of its own.
await preparations[process.argv[2] as OracleName]?.();
send({ ms: 0, outcome: 'started' });
