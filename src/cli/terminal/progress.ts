import { canShowProgress } from './capabilities.js';

/** Shows the progress of long work: one line on stderr that is redrawn, and removed at the end. */
export interface Progress {
  /** Draws the line. Without a total, it shows only how much is done. */
  at(done: number, total?: number): void;
  /** Removes the line, so that other output can be written. The next `at` draws it again. */
  clear(): void;
}

const BAR_COLUMNS = 24;
const ERASE = '\r\u001b[K';

/** Starts a progress line. It is shown only on an interactive terminal. `amount` formats a number, such as bytes. */
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

/** Yields the bytes unchanged, and reports the number so far. */
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
