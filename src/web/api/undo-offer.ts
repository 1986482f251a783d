/** A deletion that can be undone. */
export interface Undoable {
  undoId: string;
  /** What was done. */
  text: string;
}

/** The deletion that every page offers to undo: the last one. */
export class UndoOffer {
  #current: Undoable | undefined;
  readonly #listeners = new Set<() => void>();

  set(undoable: Undoable | undefined): void {
    this.#current = undoable;
    for (const listener of this.#listeners) listener();
  }

  readonly get = (): Undoable | undefined => this.#current;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

/** Returns a random ID. Browsers have `randomUUID` only in secure contexts. */
export function newUndoId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
