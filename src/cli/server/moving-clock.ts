import { runUntilStopped } from '../process/signals.js';
import type { Target } from '../target/target.js';

/**
 * Waits for a move of the clock, and returns its result; undefined after ^C. Then a server of another process
 * finishes the move, because a clock that stops halfway would surprise its other clients, and `info` prints so.
 */
export async function whileMoving<T>(
  { kind }: Pick<Target, 'kind'>,
  info: (text: string) => void,
  move: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T | undefined> {
  if (kind === 'embedded') return move(undefined);
  let moved: T | undefined;
  await runUntilStopped(async (signal) => {
    try {
      moved = await move(signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      info('The server finishes moving its clock. To see the time, run: svc dev clock show');
    }
  });
  return moved;
}
