import { canShowProgress } from '../terminal/capabilities.js';

/** How far long work is: one line on stderr, drawn over and over, and gone at the end. */
export interface Progress {
  /** Draws the line. Without a total, only how much is done. */
  at(done: number, total?: number): void;
  /** Takes the line away, so that something else can be written; the next `at` draws it again. */
  clear(): void;
}

const BAR_COLUMNS = 24;
const ERASE = '\r\u001b[K';

/** Shows nothing unless a person is there to see it. `amount` is how a number reads, such as bytes. */
export function openProgress(
  label: string,
  { json, amount = (count) => count.toLocaleString('en') }: { json: boolean; amount?: (count: number) => string },
): Progress {
  if (!canShowProgress(process.env, json)) return { at() {}, clear() {} };
  let shown = '';
  return {
    at(done, total) {
      const line = lineOf(label, done, total, amount).slice(0, (process.stderr.columns || 80) - 1);
      if (line === shown) return;
      shown = line;
      process.stderr.write(ERASE + line);
    },
    clear() {
      if (shown !== '') process.stderr.write(ERASE);
      shown = '';
    },
  };
}

/** Passes bytes on, and tells how many have come by. */
export async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  onCount: (count: number) => void,
): AsyncGenerator<Uint8Array> {
  let count = 0;
  for await (const chunk of bytes) {
    count += chunk.length;
    onCount(count);
    yield chunk;
  }
}

function lineOf(label: string, done: number, total: number | undefined, amount: (count: number) => string): string {
  if (!total) return `${label}  ${amount(done)}`;
  const share = Math.min(1, done / total);
  const filled = Math.round(share * BAR_COLUMNS);
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_COLUMNS - filled);
  return `${label}  ${bar} ${String(Math.floor(share * 100)).padStart(3)}%  ${amount(done)} of ${amount(total)}`;
}
