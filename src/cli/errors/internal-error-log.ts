import { safeText } from '../output/text.js';

/** Says on stderr what went wrong in the server; while a view has the screen, it says so there, and here afterwards. */
export class InternalErrorLog {
  #held: string[] | undefined;
  #print: (summary: string) => void = () => {};

  readonly report = (error: unknown, requestId?: string): void => {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const text = safeText(`Internal error${requestId ? ` in ${requestId}` : ''}: ${reason}\n`);
    if (!this.#held) {
      process.stderr.write(text);
      return;
    }
    if (this.#held.length < HELD_MAX) this.#held.push(text);
    this.#print(text.split('\n', 1)[0] ?? '');
  };

  /** Writes nothing from now on and tells `print` instead, until the answer is called; it then writes what came meanwhile. */
  hold(print: (summary: string) => void): () => void {
    this.#held = [];
    this.#print = print;
    return () => {
      const held = this.#held ?? [];
      this.#held = undefined;
      for (const text of held) process.stderr.write(text);
    };
  }
}

/** Faults come in series: the first ones say most. */
const HELD_MAX = 100;
