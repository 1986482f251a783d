import { describe, expect, it } from 'vitest';
import { readMbox } from '../../../src/cli/emails/import/mbox.js';

const SEPARATOR = 'From ada@example.test Mon Mar  2 10:00:00 2020\n';
const MAX_BYTES = 600;

/** Returns what a mailbox contains, read in chunks of a size. */
async function read(mailbox: string, chunkBytes: number, maxBytes = MAX_BYTES): Promise<string[]> {
  const bytes = Buffer.from(mailbox);
  const chunks = (async function* () {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  })();
  const found: string[] = [];
  for await (const each of readMbox(chunks, maxBytes)) found.push('bytes' in each ? `${each.bytes}` : each.problem);
  return found;
}

describe('a mailbox that arrives in chunks', () => {
  const tooLarge = `it is larger than ${MAX_BYTES} bytes`;

  it.each([
    [
      'a line of a message that is too large and ends with an empty piece',
      `${SEPARATOR}${'x'.repeat(MAX_BYTES + 1)}\n${SEPARATOR}\n\n${SEPARATOR}Subject: two\n`,
      [tooLarge, 'Subject: two\r\n'],
    ],
    [
      'a line of a message that is too large and contains what looks like a separator',
      `${SEPARATOR}${'x'.repeat(700)}\n\n${SEPARATOR}Subject: two\n`,
      [tooLarge, 'Subject: two\r\n'],
    ],
    ['a long separator', `${SEPARATOR.trim()}${' '.repeat(2 * MAX_BYTES)}\nSubject: one\n`, ['Subject: one\r\n']],
  ])('has the same messages with %s', async (_, mailbox, expected) => {
    for (const chunkBytes of [mailbox.length, 1, 7, MAX_BYTES + 1, SEPARATOR.length + MAX_BYTES + 1]) {
      expect([chunkBytes, ...(await read(mailbox, chunkBytes))]).toEqual([chunkBytes, ...expected]);
    }
  });

  it('has the same messages when they may be smaller than a separator', async () => {
    const mailbox = `${SEPARATOR}Subject: one\n`;
    for (const chunkBytes of [mailbox.length, 1, 35])
      expect(await read(mailbox, chunkBytes, 20)).toEqual(['Subject: one\r\n']);
  });
});
