import type { Client } from '../../client/client.js';
import { NoControlError } from '../../client/failures.js';
import type { Control } from '../../contract/control/endpoints.js';
import type { PublishedRecord } from '../../contract/control/simulation/dns-records.js';
import type { Result } from '../../contract/endpoint.js';
import { CommandError, UsageError } from '../errors/exit-codes.js';
import type { Printable } from '../output/color.js';
import { type Column, stdoutView, table } from '../output/table.js';

const COLUMNS: Column[] = [
  { title: 'NAME', rank: 1 },
  { title: 'PURPOSE', rank: 2 },
  { title: 'PUBLISHED', rank: 3, kind: 'status' },
  { title: 'VALUE', rank: 4 },
];

/**
 * Returns the DNS records that the server lists, or those of one domain. @throws CommandError when the domain does not
 * exist.
 */
export async function recordsOf(client: Client, domain: string | undefined): Promise<Result<Control['dns.list']>> {
  const { dns, records } = await client.control('dns.list', {});
  const found = records.filter((record) => domain === undefined || record.domain === domain.toLowerCase());
  if (domain !== undefined && found.length === 0) {
    throw new CommandError(`Domain ${domain} not found.`, 'Run "svc domains list" to see all domains.');
  }
  return { dns, records: found };
}

/**
 * Returns the purposes of the required records that the simulated DNS does not publish; none without a control API or
 * with real DNS.
 */
export async function unpublishedPurposes(client: Client, domain: string): Promise<string[]> {
  try {
    const { records } = await recordsOf(client, domain);
    return records
      .filter(({ purpose, published }) => published === false && purpose !== 'dmarc')
      .map(({ purpose }) => purpose);
  } catch (error) {
    if (error instanceof NoControlError) return [];
    throw error;
  }
}

/** Returns the name of a record that is given by name or purpose. @throws UsageError for a purpose without a domain. */
export function recordName(record: string, records: PublishedRecord[], domain: string | undefined): string {
  const ofPurpose = records.filter(({ purpose }) => purpose === record);
  if (ofPurpose.length === 0) return record;
  if (domain === undefined) throw new UsageError(`DOMAIN is required with ${record}.`, 'Run "svc domains dns --help".');
  return ofPurpose[0]?.name ?? record;
}

export function describeRecords(records: PublishedRecord[]): Printable {
  const rows = records.map(({ name, purpose, published, value }) => [
    name,
    purpose,
    published === null ? 'real DNS' : published ? 'yes' : 'no',
    value,
  ]);
  // Not shortened to the terminal's width, because users copy the records.
  return table(COLUMNS, rows, { ...stdoutView(), width: null });
}
