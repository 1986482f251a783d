import { matchesRecipient } from '../../contract/recipient-pattern.js';
import type { Reads } from '../reads.js';

/** Returns the workspace that owns one of these addresses, the oldest one first; null if none does. */
export async function ownerOf(reads: Pick<Reads, 'workspaces'>, addresses: readonly string[]): Promise<string | null> {
  for (const { name, addresses: patterns } of await reads.workspaces.list()) {
    if (patterns.some((pattern) => addresses.some((address) => matchesRecipient(pattern, address)))) return name;
  }
  return null;
}
