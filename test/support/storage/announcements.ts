import type { Committed, Store } from '../../../src/core/store.js';

export interface Announcements {
  /** The commits that the store has announced. */
  readonly heard: readonly Committed[];
  /** Resolves when the commits that were announced are enough. */
  until(isEnough: (heard: readonly Committed[]) => boolean): Promise<void>;
}

/** Records the commits that a store announces from now on: its own and those of other processes. */
export function announcementsOf(store: Pick<Store, 'onCommit'>): Announcements {
  const heard: Committed[] = [];
  let look = () => {};
  const onCommit = (committed: Committed) => {
    heard.push(committed);
    look();
  };
  store.onCommit(onCommit, { events: true });
  return {
    heard,
    until: (isEnough) =>
      new Promise((resolve) => {
        look = () => {
          if (isEnough(heard)) resolve();
        };
        look();
      }),
  };
}
