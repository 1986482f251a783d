import { safeText } from '../output/text.js';

/**
 * Prints internal errors of the server on stderr. While a view uses the screen, it passes summaries to the view, and
 * prints the errors afterwards.
 */
export class InternalErrorLog {
  #held: string[] | undefined;
  #print: (summary: string) => void = () => {};

  readonly report = (error: unknown, requestId?: string): void => {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#write(safeText(`Internal error${requestId ? ` in ${requestId}` : ''}: ${reason}\n`));
  };

  /** Prints a line about a client that was refused. */
  readonly notice = (text: string): void => this.#write(safeText(`${text}\n`));

  #write(text: string): void {
    if (!this.#held) {
      process.stderr.write(text);
      return;
    }
    if (this.#held.length < HELD_MAX) this.#held.push(text);
    this.#print(text.split('\n', 1)[0] ?? '');
  }

  /**
   * Passes summaries to `print` instead of printing, until the returned function is called. That function prints the
   * errors.
   */
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

/** Errors often repeat, so the first ones are enough. */
const HELD_MAX = 100;
