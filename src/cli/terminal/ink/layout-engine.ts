import { loadYoga, type Yoga } from 'yoga-layout/load';

/**
 * ink's layout engine. The build puts this in the place of the package's entry, which waits for its WebAssembly while it is
 * loaded; modules in CommonJS cannot.
 */

const engine = {} as Yoga;

export default engine;
export * from 'yoga-layout/load';

/** Resolves when views can be drawn. */
export async function prepareEngine(): Promise<void> {
  Object.assign(engine, await loadYoga());
}
