import type { Client } from '../../../client/client.js';

/** Counts the resources of each kind on a server. It uses the public API only, so it works with any server. */
export async function countResources(client: Client): Promise<Record<string, number>> {
  const [emails, templates, domains, webhooks, keys] = await Promise.all([
    client.call('emails.list', { query: { limit: 1 } }),
    client.call('templates.list', { query: { limit: 1 } }),
    client.call('domains.list', {}),
    client.call('webhooks.list', {}),
    client.call('api-keys.list', {}),
  ]);
  return {
    emails: emails.pagination.total,
    templates: templates.pagination.total,
    domains: domains.domains.length,
    webhooks: webhooks.webhooks.length,
    api_keys: keys.api_keys.length,
  };
}

/** Formats the counts: `12 emails, 3 templates`. Kinds without resources are omitted. */
export async function describeResources(client: Client): Promise<string> {
  const held = Object.entries(await countResources(client)).filter(([, count]) => count > 0);
  return held.map(([kind, count]) => `${count} ${nameOf(kind, count)}`).join(', ') || 'nothing';
}

function nameOf(kind: string, count: number): string {
  const plural = kind.replace('_', ' ').replace('api', 'API');
  return count === 1 ? plural.slice(0, -1) : plural;
}
