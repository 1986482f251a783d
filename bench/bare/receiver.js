/**
 * Receives webhooks for bench/webhooks in a process of its own, and answers 200. A line on stdin is a number of
 * requests to wait for. When that many have arrived in full, it prints the times of the first and the last on stdout,
 * in nanoseconds of the machine's monotonic clock, which all processes share.
 */
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

let count = 0;
let first = 0n;
let wanted = 0;

const server = createServer((request, response) => {
  request.on('data', () => {});
  request.on('end', () => {
    const now = process.hrtime.bigint();
    response.writeHead(200).end();
    if (count === 0) first = now;
    count += 1;
    if (count === wanted) report(now);
  });
});

function report(last) {
  process.stdout.write(`${JSON.stringify({ first: String(first), last: String(last) })}\n`);
  count = 0;
  wanted = 0;
}

createInterface({ input: process.stdin }).on('line', (line) => {
  count = 0;
  wanted = Number(line);
  process.stdout.write('{"armed":true}\n');
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.stdout.write(`${JSON.stringify({ port: server.address().port })}\n`));
