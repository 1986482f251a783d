import type { ServiceClient } from '../../client/service-client.js';
import type { Rules } from '../api/server.js';

/** Returns the functions for outcome rules. */
export function createRules(client: ServiceClient): Rules {
  const list = async () => (await client.control('rules.list')).rules;
  const remove = (rule: { id: string } | string) =>
    client.control('rules.delete', { params: { id: typeof rule === 'string' ? rule : rule.id } });
  return {
    add: (to, outcome, options = {}) => client.control('rules.create', { body: { ...options, to, outcome } }),
    list,
    remove,
    async clear() {
      for (const rule of await list()) await remove(rule);
    },
  };
}
