/** Holds a view's state. Code outside of React changes it, and React components subscribe to it. */
export class ViewStore<State, Change> {
  readonly #listeners = new Set<() => void>();

  constructor(
    private state: State,
    private readonly reduce: (state: State, change: Change) => State,
  ) {}

  readonly change = (change: Change): void => {
    this.state = this.reduce(this.state, change);
    for (const listener of this.#listeners) listener();
  };

  readonly current = (): State => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}
