import { quantile } from '../figures.js';
import { call, type Setup } from './setups.js';

/** Measures how searches that no index can narrow delay other clients. */

const SEARCHES = 50;
const SENDERS = 4;
const PROBE_EVERY_MS = 50;
const EMAIL = { from: 'ada@example.test', to: 'grace@example.test', subject: 'Order', html: '<p>On its way</p>' };

/** Times in milliseconds; those of searches are of one page each. */
export interface Delays {
  probes: number[];
  posts: number[];
  searches: number[];
}

/** Returns times with and without searches of two letters that no email has. */
export async function searchDelays(setup: Setup, seconds: number): Promise<Record<'alone' | 'searched', Delays>> {
  await measure(setup, 0, 2);
  return { alone: await measure(setup, 0, seconds), searched: await measure(setup, SEARCHES, seconds) };
}

async function measure({ replicas }: Setup, searches: number, seconds: number): Promise<Delays> {
  const port = replicas[0]?.httpPort ?? 0;
  const times: Delays = { probes: [], posts: [], searches: [] };
  const end = performance.now() + seconds * 1_000;
  const repeat = async (into: number[], run: () => Promise<unknown>) => {
    while (performance.now() < end) {
      const began = performance.now();
      await run();
      into.push(performance.now() - began);
    }
  };
  await Promise.all([
    repeat(times.probes, async () => {
      await ready(port);
      await new Promise((resolve) => setTimeout(resolve, PROBE_EVERY_MS));
    }),
    ...Array.from({ length: SENDERS }, () => repeat(times.posts, () => call(port, 'POST', '/v1/emails', EMAIL))),
    ...Array.from({ length: searches }, (_, n) => {
      const letters = `${'zqxj'[n % 4]}${'qxjz'[(n >> 2) % 4]}`;
      return repeat(times.searches, () => call(port, 'GET', `/_svc/emails?search=${letters}&limit=50`));
    }),
  ]);
  times.probes = times.probes.map((time) => time - PROBE_EVERY_MS);
  return times;
}

async function ready(port: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`);
  const text = await response.text();
  if (!response.ok) throw new Error(`GET /readyz: ${response.status} ${text}`);
}

/** Returns the row of a table. */
export function rowOf(name: string, { probes, posts, searches }: Delays): string[] {
  const of = (times: readonly number[], share: number) => (times.length > 0 ? quantile(times, share).toFixed(0) : '');
  return [
    name,
    ...[probes, posts].flatMap((times) => [of(times, 0.5), of(times, 0.99), of(times, 1)]),
    of(searches, 0.5),
    of(searches, 1),
    String(searches.length),
  ];
}
