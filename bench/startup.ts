import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeMachine, median, printTable } from './support/figures.js';
import { startSvc } from './support/servers.js';

/** Measures the duration of whole commands, and of starts of the server, as a ratio to a node process that does nothing. */

const ROUNDS = Number(process.env.SVC_BENCH_ROUNDS ?? 25);

export async function main(root: string): Promise<void> {
  const svc = await startSvc(root);
  const ownDataDir = mkdtempSync(join(tmpdir(), 'svc-bench-'));
  const binary = join(root, 'bin/run.js');
  const command = (args: string[], dataDir: string) => async () => run(args, dataDir);
  const cases = [
    { name: 'node -e 0', measure: command(['-e', '0'], ownDataDir), goal: '' },
    { name: 'svc --version', measure: command([binary, '--version'], ownDataDir), goal: '1.6' },
    { name: 'svc --help', measure: command([binary, '--help'], ownDataDir), goal: '2' },
    { name: 'svc emails list, server running', measure: command([binary, 'emails', 'list'], svc.dataDir), goal: '3' },
    { name: 'svc emails list, in-process', measure: command([binary, 'emails', 'list'], ownDataDir), goal: '4' },
    { name: 'svc dev until it is ready', measure: () => startAndStop(root, []), goal: '' },
    {
      name: 'svc dev --mailpit until it is ready',
      measure: () => startAndStop(root, ['--mailpit']),
      goal: '',
    },
  ];
  console.log(`Start to end of a command, or until a server is ready; ${describeMachine()}`);
  console.log(`${ROUNDS} rounds, each command once a round; medians, and of each round's ratio to node -e 0.\n`);
  try {
    const times = cases.map(() => [] as number[]);
    // The first round is not counted: it fills the disk's caches and creates the data directory.
    for (let round = -1; round < ROUNDS; round += 1) {
      for (const [index, { measure }] of cases.entries()) {
        const spent = await measure();
        if (round >= 0) times[index]?.push(spent);
      }
    }
    const nothing = times[0] ?? [];
    const rows = cases.map(({ name, goal }, index) => {
      const spent = times[index] ?? [];
      const ratio = median(spent.map((time, round) => time / (nothing[round] ?? Number.NaN)));
      return [name, median(spent).toFixed(1), ratio.toFixed(2), goal];
    });
    printTable(['', 'ms', 'ratio', 'goal'], rows);
  } finally {
    await svc.stop();
    rmSync(ownDataDir, { recursive: true, force: true });
  }
}

async function startAndStop(root: string, flags: string[]): Promise<number> {
  const began = performance.now();
  const server = await startSvc(root, undefined, flags);
  const spent = performance.now() - began;
  await server.stop();
  return spent;
}

function run(args: string[], dataDir: string): number {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('SVC_'));
  const env = { ...Object.fromEntries(inherited), SVC_DATA_DIR: dataDir };
  const began = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return performance.now() - began;
}
