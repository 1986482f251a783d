import type { Client } from '../../../client/client.js';
import type { Fault } from '../../../contract/control/simulation/faults.js';
import { type FaultPreset, faultsOfPreset } from '../../../contract/vocabulary/faults/presets.js';

/** Adds presets of faults to a server. */

/** Creates the faults of a preset. Returns them in order of precedence. */
export async function createPreset(client: Client, preset: FaultPreset): Promise<Fault[]> {
  const created: Fault[] = [];
  for (const body of faultsOfPreset(preset)) created.unshift(await client.control('faults.create', { body }));
  return created;
}

/** Creates the faults of presets, except those that the server has since an earlier start. */
export async function addPresets(client: Client, presets: readonly FaultPreset[]): Promise<void> {
  const { faults } = await client.control('faults.list', {});
  for (const preset of new Set(presets)) {
    if (!faults.some((fault) => fault.preset === preset)) await createPreset(client, preset);
  }
}
