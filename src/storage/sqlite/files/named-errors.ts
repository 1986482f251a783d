import type { Reads } from '../../../core/reads.js';
import { named } from './disk-errors.js';

/** Wraps reads so that they throw the core's errors instead of SQLite's. */
export function withNamedErrors(tables: Reads): Reads {
  const wrapped = Object.entries(tables).map(([name, table]) => [
    name,
    new Proxy(table, {
      get(target: Record<string, unknown>, method: string) {
        const call = target[method];
        if (typeof call !== 'function') return call;
        return (...args: unknown[]) =>
          (call.apply(target, args) as Promise<unknown>).catch((error: unknown) => {
            throw named(error);
          });
      },
    }),
  ]);
  return Object.fromEntries(wrapped) as Reads;
}
