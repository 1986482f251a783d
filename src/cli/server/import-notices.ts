import type { Client } from '../../client/client.js';
import type { Imported } from '../../contract/control/state.js';
import { svcCommand } from '../command/svc-command.js';
import { plural } from '../output/plural.js';

/** Returns messages about what an import brings that a person may not expect. */
export function importNotices({ active_webhooks, api_keys, admin_keys }: Imported): string[] {
  const lines: string[] = [];
  if (active_webhooks.length > 0) {
    lines.push(`Active webhooks that receive events from now on: ${active_webhooks.join(', ')}`);
  }
  if (api_keys > 0) {
    const admins = admin_keys > 0 ? `, ${admin_keys} of them admin keys` : '';
    const are = api_keys === 1 ? 'is' : 'are';
    lines.push(
      `${plural(api_keys, 'API key')} of the archive ${are} valid on this server${admins}. ` +
        'List them with "svc api-keys list", and revoke those that must not be.',
    );
  }
  return lines;
}

/** Returns a message about damaged rows. It names the server's data directory, for `svc doctor` to find its database. */
export async function damageNotice(client: Client, rows: number): Promise<string> {
  const { data_dir } = await client.control('info', {});
  const notice = `${plural(rows, 'damaged row')} set aside.`;
  return data_dir === null ? notice : `${notice} List them with "${svcCommand('doctor', data_dir)}".`;
}
