import { Client } from '../../../client/client.js';
import type { FaultPreset } from '../../../contract/vocabulary/faults/presets.js';
import { userAgent } from '../../target/target.js';
import type { LocalServer } from '../local-server.js';
import { applySeed } from './apply-seed.js';
import { addPresets } from './fault-presets.js';
import type { Seed } from './read-seed.js';

/**
 * Adds a seed to a server that has no contents. Returns false for another one, such as one that was seeded at an earlier
 * start. @throws as `applySeed` does.
 */
export async function seedNewServer(server: LocalServer, seed: Seed): Promise<boolean> {
  const client = clientOf(server);
  const query = { limit: 1 };
  const [emails, templates, webhooks, { domains }, suppressions, { rules }, { faults }] = await Promise.all([
    client.call('emails.list', { query }),
    client.call('templates.list', { query }),
    client.call('webhooks.list', {}),
    client.call('domains.list', {}),
    client.control('suppressions.list', { query }),
    client.control('rules.list', {}),
    client.control('faults.list', {}),
  ]);
  // The server verifies the domains that it starts with.
  const added = domains.filter(({ status }) => status !== 'verified');
  const listed = emails.pagination.total + templates.pagination.total + suppressions.pagination.total;
  if (listed + webhooks.webhooks.length + added.length + rules.length + faults.length > 0) return false;
  await applySeed(client, seed);
  return true;
}

/** Adds presets of faults to a server, except those that it has. */
export async function addFaults(server: LocalServer, presets: readonly FaultPreset[]): Promise<void> {
  await addPresets(clientOf(server), presets);
}

function clientOf({ app, address }: LocalServer): Client {
  return new Client({ baseUrl: address.base_url, apiKey: address.api_key, userAgent, fetch: app.fetch });
}
