import { loadYoga, type Yoga } from 'yoga-layout/load';

/**
 * Provides ink's layout engine. The build replaces the package's entry with this module, because the entry loads its
 * WebAssembly with a top-level await, which CommonJS does not support.
 */

const engine = {} as Yoga;

export default engine;
export * from 'yoga-layout/load';

/** Loads the engine. Views can be drawn once it resolves. */
export async function prepareEngine(): Promise<void> {
  Object.assign(engine, await loadYoga());
}
