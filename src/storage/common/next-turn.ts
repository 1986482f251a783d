/** Resolves in the next turn of the event loop, after other work has run. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
