import { afterEach, beforeEach } from 'vitest';
import type { Store } from '../../../src/core/store.js';

/** Creates the suite's stores. One fixture is one location for data, empty at first. */
export interface StoreFixture {
  open(): Store;
  /** Whether several stores can be open on the same data, as two processes have them. */
  shared: boolean;
  remove(): void;
}

/** Gives every test of a suite its own fixture, and closes what the test opened. */
export function stores(make: () => StoreFixture) {
  let fixture: StoreFixture;
  let opened: Store[];
  beforeEach(() => {
    fixture = make();
    opened = [];
  });
  afterEach(async () => {
    for (const store of opened) await store.close();
    fixture.remove();
  });
  return {
    /** Opens the data; a second call opens the same again. */
    open(): Store {
      const store = fixture.open();
      opened.push(store);
      return store;
    },
  };
}
