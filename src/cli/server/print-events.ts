import { safeJson } from '../output/text.js';
import { stdoutDrained } from '../output/write-stdout.js';
import { lineOfEvent } from './startup-message.js';

/**
 * Prints events as they arrive, a line each, until the stream ends; after the signal, as long as it has a reader.
 * Events that wait for one are in the store, not in memory.
 */
export async function printEvents(events: AsyncIterable<string>, json: boolean, signal: AbortSignal): Promise<void> {
  for await (const payload of events) {
    if (process.stdout.writableCorked === 0) {
      // Events that have already arrived are written in one piece.
      process.stdout.cork();
      setImmediate(() => process.stdout.uncork());
    }
    process.stdout.write(json ? `${safeJson(payload)}\n` : lineOfEvent(payload));
    if (!(await stdoutDrained(signal))) return;
  }
}
