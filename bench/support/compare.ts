import { median, printTable } from './figures.js';
import type { Server, Svc } from './servers.js';

/** Runs the same load on the baseline and on svc in turn, and prints a table of the results. */

export const ROUNDS = Number(process.env.SVC_BENCH_ROUNDS ?? 5);
export const SECONDS = Number(process.env.SVC_BENCH_SECONDS ?? 2);

export interface Load {
  name: string;
  bare(): Promise<Count>;
  svc(): Promise<Count>;
}

export interface Count {
  done: number;
  seconds: number;
}

interface Round {
  bare: number;
  svc: number;
  /** The rate when the time to parse and deliver everything counts too. */
  settled: number;
  settleMs: number;
  bareCpu: number;
  svcCpu: number;
}

export async function compare(title: string, loads: Load[], bare: Server, svc: Svc): Promise<void> {
  const rows: string[][] = [];
  for (const load of loads) {
    const rounds: Round[] = [];
    // Not counted: code is compiled when it first runs, and the database's files grow to their size.
    await playRound(load, bare, svc);
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await playRound(load, bare, svc));
    const of = (read: (round: Round) => number) => median(rounds.map(read));
    rows.push([
      load.name,
      of((round) => round.bare).toFixed(0),
      of((round) => round.svc).toFixed(0),
      of((round) => round.svc / round.bare).toFixed(3),
      of((round) => round.settled / round.bare).toFixed(3),
      of((round) => round.settleMs).toFixed(0),
      of((round) => round.bareCpu).toFixed(0),
      of((round) => round.svcCpu).toFixed(0),
    ]);
  }
  printTable([title, 'bare', 'svc', 'ratio', 'settled', 'ms after', 'bare CPU µs', 'svc CPU µs'], rows);
  console.log(
    '\nsettled: the ratio when the time until everything was parsed and delivered counts too. CPU: each, all in all.',
  );
}

async function playRound(load: Load, bare: Server, svc: Svc): Promise<Round> {
  let before = bare.cpu();
  const yardstick = await load.bare();
  const bareCpu = (bare.cpu() - before) / yardstick.done;
  before = svc.cpu();
  const ours = await load.svc();
  const began = performance.now();
  await svc.settled();
  const settleMs = performance.now() - began;
  return {
    bare: yardstick.done / yardstick.seconds,
    svc: ours.done / ours.seconds,
    settled: ours.done / (ours.seconds + settleMs / 1000),
    settleMs,
    bareCpu,
    svcCpu: (svc.cpu() - before) / ours.done,
  };
}
