import type { TestApp } from './servers/app.js';

/** Adds a domain, publishes its records in the simulated DNS and verifies it. */
export async function verifiedDomain(app: TestApp, domain: string): Promise<void> {
  const { dns_records } = (await app.call('POST', '/v1/domains', { domain })).json.data;
  for (const { name } of dns_records) await app.call('PATCH', `/_svc/dns/${name}`, { published: true });
  const { status } = (await app.call('POST', `/v1/domains/${domain}/verify`)).json.data;
  if (status !== 'verified') throw new Error(`${domain} is ${status}`);
}
