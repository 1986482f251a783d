import { safeJson } from '../output/text.js';
import { stdoutDrained } from '../output/write-stdout.js';
import { lineOfEvent } from './startup-message.js';

/**
 * Prints events as they come, a line each, until there are no more; after the signal, as long as there is a reader. What waits
 * for one is in the store, not in memory.
 */
export async function printEvents(events: AsyncIterable<string>, json: boolean, signal: AbortSignal): Promise<void> {
  for await (const payload of events) {
    if (process.stdout.writableCorked === 0) {
      // What is there already goes out in one piece.
      process.stdout.cork();
      setImmediate(() => process.stdout.uncork());
    }
    process.stdout.write(json ? `${safeJson(payload)}\n` : lineOfEvent(payload));
    if (!(await stdoutDrained(signal))) return;
  }
}
