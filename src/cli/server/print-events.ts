import { safeJson } from '../output/text.js';
import { stdoutDrained } from '../output/write-stdout.js';
import { lineOfEvent } from './startup-message.js';

/**
 * Prints events as they arrive, one per line, until the stream ends. After the signal, it prints only as long as the
 * reader keeps reading. Events that were not read yet are in the store, not in memory.
 */
export async function printEvents(events: AsyncIterable<string>, json: boolean, signal: AbortSignal): Promise<void> {
  for await (const payload of events) {
    if (process.stdout.writableCorked === 0) {
      // Events that have already arrived are written in one write.
      process.stdout.cork();
      setImmediate(() => process.stdout.uncork());
    }
    process.stdout.write(json ? `${safeJson(payload)}\n` : lineOfEvent(payload));
    if (!(await stdoutDrained(signal))) return;
  }
}
