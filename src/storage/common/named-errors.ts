import type { Reads } from '../../core/reads.js';

/** Wraps reads so that they throw the core's errors, which `named` returns, instead of the engine's. */
export function withNamedErrors(tables: Reads, named: (error: unknown) => unknown): Reads {
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
