import { once } from 'node:events';
import { expect, it } from 'vitest';
import { DataStream } from '../../src/smtp/data-stream.js';

it('reads at most 256 KiB of a message in one turn of the event loop, and all of it in the end', async () => {
  const parser = new DataStream();
  const received: Buffer[] = [];
  const content = parser.startDataMode(10 * 1024 * 1024);
  content.on('data', (chunk: Buffer) => received.push(chunk));
  const ended = once(content, 'end');
  const line = Buffer.from(`${'x'.repeat(1_022)}\r\n`);
  const chunk = Buffer.concat(Array.from({ length: 64 }, () => line));
  for (let n = 0; n < 16; n++) parser.write(chunk);
  expect(parser.writableLength).toBe(13 * chunk.length);

  parser.end('.\r\n');
  await ended;
  expect(Buffer.concat(received).length).toBe(16 * chunk.length);
});
