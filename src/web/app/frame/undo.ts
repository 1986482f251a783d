/** The deletion that the page offers to undo. Other pages keep offering it. */

export interface Undoable {
  undoId: string;
  /** What was done. */
  text: string;
}

let current: Undoable | undefined;
const listeners = new Set<() => void>();

export function offerUndo(undoable: Undoable | undefined): void {
  current = undoable;
  for (const listener of listeners) listener();
}

export const undoable = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  get: () => current,
};

/** Returns a random ID. Browsers have `randomUUID` only in secure contexts. */
export function newUndoId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
