import { safeText } from './text.js';

/** Says on stderr what went wrong in the server; while a view has the screen, it says so there, and here afterwards. */
export class FaultReport {
  #held: string[] | undefined;
  #tell: (summary: string) => void = () => {};

  readonly report = (error: unknown, requestId?: string): void => {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const text = safeText(`Internal error${requestId ? ` in ${requestId}` : ''}: ${reason}\n`);
    if (!this.#held) {
      process.stderr.write(text);
      return;
    }
    if (this.#held.length < HELD_MAX) this.#held.push(text);
    this.#tell(text.split('\n', 1)[0] ?? '');
  };

  /** Writes nothing from now on and tells `tell` instead, until the answer is called; it then writes what came meanwhile. */
  hold(tell: (summary: string) => void): () => void {
    this.#held = [];
    this.#tell = tell;
    return () => {
      const held = this.#held ?? [];
      this.#held = undefined;
      for (const text of held) process.stderr.write(text);
    };
  }
}

/** Faults come in series: the first ones say most. */
const HELD_MAX = 100;
