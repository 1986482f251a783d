import { type Change, initialState, type ListenState, reduce } from './listen-state.js';

/** Holds the view's state between what changes it from outside React (the lines) and what shows it. */
export class ViewStore {
  #state: ListenState = initialState;
  readonly #listeners = new Set<() => void>();

  readonly change = (change: Change): void => {
    this.#state = reduce(this.#state, change);
    for (const listener of this.#listeners) listener();
  };

  readonly current = (): ListenState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}
