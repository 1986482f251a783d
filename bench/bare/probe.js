/**
 * Requests a server's health every 10 ms, from a process of its own. A slow response does not delay the next request.
 * For each line on stdin, it reports on the requests since the last report: their number, and the 99th percentile and
 * maximum of their times.
 */
import { Agent, get } from 'node:http';
import { createInterface } from 'node:readline';

const [url] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
let times = [];
const open = new Set();

setInterval(() => {
  const began = performance.now();
  open.add(began);
  const end = () => {
    open.delete(began);
    times.push(performance.now() - began);
  };
  get(url, { agent }, (response) => response.resume().on('end', end)).on('error', () => open.delete(began));
}, 10);

createInterface({ input: process.stdin }).on('line', () => {
  const now = performance.now();
  const all = [...times, ...[...open].map((began) => now - began)].sort((a, b) => a - b);
  times = [];
  process.stdout.write(
    `${JSON.stringify({ count: all.length, p99: all[Math.ceil(all.length * 0.99) - 1] ?? 0, worst: all.at(-1) ?? 0 })}\n`,
  );
});
process.stdout.write('{}\n');
