import { afterEach, beforeEach } from 'vitest';
import type { Store } from '../../../src/core/store.js';

/** Creates the suite's stores. One fixture is one location for data, empty at first. */
interface StoreFixture {
  open(): Store | Promise<Store>;
  remove(): void | Promise<void>;
}

export type MakeFixture = () => StoreFixture | Promise<StoreFixture>;

/** Gives every test of a suite its own fixture, and closes what the test opened. */
export function stores(make: MakeFixture) {
  let fixture: StoreFixture;
  let opened: Store[];
  beforeEach(async () => {
    fixture = await make();
    opened = [];
  });
  afterEach(async () => {
    for (const store of opened) await store.close();
    await fixture.remove();
  });
  return {
    /** Opens the data; a second call opens the same again. */
    async open(): Promise<Store> {
      const store = await fixture.open();
      opened.push(store);
      return store;
    },
  };
}
