import { createReadStream } from 'node:fs';
import { Client } from '../../../client/client.js';
import { ApiFailure } from '../../../client/failures.js';
import type { Fault } from '../../../contract/control/simulation/faults.js';
import { type FaultPreset, faultsOfPreset } from '../../../contract/vocabulary/faults/presets.js';
import { CommandError } from '../../errors/exit-codes.js';
import { userAgent } from '../../target/target.js';
import type { LocalServer } from '../local-server.js';
import type { Seed } from './read-seed.js';

/** Fills a server with a seed. */

/** Returns the domains that the server has to be started with, which a reset of the server keeps. */
export function verifiedDomains({ domains }: Seed): string[] {
  return domains.flatMap(({ domain, verified }) => (verified ? [domain] : []));
}

/**
 * Creates everything else of the seed. Returns when its messages are parsed and sent. Webhooks come after them, so that
 * they receive no event of the seed.
 * @throws CommandError that names what the server refused.
 */
export async function applySeed(client: Client, seed: Seed): Promise<void> {
  for (const { domain, verified } of seed.domains) {
    if (!verified) await creating(`domain ${domain}`, client.call('domains.create', { body: { domain } }));
  }
  for (const { directory, name, subject, html, text } of seed.templates) {
    await creating(directory, client.call('templates.create', { body: { name, subject, html, text } }));
  }
  for (const { address } of seed.suppressions) {
    await creating(`suppression ${address}`, client.control('suppressions.create', { body: { address } }));
  }
  // A new rule takes precedence. In the file, the first one does, as in the output of svc dev rules list.
  for (const rule of [...seed.rules].reverse()) {
    await creating(`rule for ${rule.to}`, client.control('rules.create', { body: rule }));
  }
  for (const file of seed.messages) {
    await creating(file, client.control('emails.capture', { body: createReadStream(file) }), MESSAGE_HINT);
  }
  if (seed.messages.length > 0) await client.control('settle', { body: {} });
  for (const webhook of seed.webhooks) {
    await creating(`webhook ${webhook.url}`, client.call('webhooks.create', { body: webhook }));
  }
  // After everything that they could fail. As with rules, the first one takes precedence.
  for (const fault of [...seed.faults].reverse()) {
    if (typeof fault === 'string') await creating(`preset ${fault}`, createPreset(client, fault));
    else await creating('a fault', client.control('faults.create', { body: fault }));
  }
}

const MESSAGE_HINT = 'Correct the header of the file.';

/** `hint` replaces the server's for an invalid header, which names parameters of its API. */
async function creating(what: string, call: Promise<unknown>, hint?: string): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    throw new CommandError(
      `Cannot add ${what} of the seed: ${error.message}`,
      error.hint?.includes('mail_from') ? (hint ?? error.hint) : error.hint,
    );
  }
}

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

/** Creates the faults of a preset. Returns them in order of precedence. */
export async function createPreset(
  client: Client,
  preset: FaultPreset,
  scope: { workspace?: string } = {},
): Promise<Fault[]> {
  const created: Fault[] = [];
  for (const fault of faultsOfPreset(preset))
    created.unshift(await client.control('faults.create', { body: { ...fault, ...scope } }));
  return created;
}

/** Creates the faults of presets, except those that the server has since an earlier start. */
export async function addPresets(client: Client, presets: readonly FaultPreset[]): Promise<void> {
  const { faults } = await client.control('faults.list', {});
  for (const preset of new Set(presets)) {
    if (!faults.some((fault) => fault.preset === preset)) await createPreset(client, preset);
  }
}
