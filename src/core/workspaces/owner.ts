import { matchesRecipient } from '../../contract/recipient-pattern.js';
import type { Reads } from '../reads.js';

/** Returns the workspace that owns one of these addresses, the oldest one first; null if none does. */
export async function ownerOf(reads: Pick<Reads, 'workspaces'>, addresses: readonly string[]): Promise<string | null> {
  for (const { name, addresses: patterns } of await reads.workspaces.list()) {
    if (patterns.some((pattern) => addresses.some((address) => matchesRecipient(pattern, address)))) return name;
  }
  return null;
}

/** Returns a workspace's name; null if it no longer exists. Must be called in the transaction that uses the name. */
export async function ifExists(reads: Pick<Reads, 'workspaces'>, name: string | null): Promise<string | null> {
  return name !== null && (await reads.workspaces.find(name)) ? name : null;
}
