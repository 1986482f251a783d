/**
 * Asks a server for its health every 10 ms in a process of its own, each request on its own connection or a free one. Each line
 * on stdin makes it report what it saw since the last, and begin again: how many answers, and how long the slowest took.
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
