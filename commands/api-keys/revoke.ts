import { Args } from '@oclif/core';
import { isLastAdmin } from '../../src/cli/api-keys/list-keys.js';
import { ClientCommand } from '../../src/cli/command/client-command.js';
import { deleteIfExists } from '../../src/cli/command/delete-if-exists.js';
import { ifExistsFlag, yesFlag } from '../../src/cli/flags/shared.js';
import { confirm, confirmOnRemote, targetName } from '../../src/cli/terminal/confirm.js';

const NONE_LEFT = 'No admin key is left. To administrate the server again, restart it with a key in SVC_API_KEY.';

export default class ApiKeysRevoke extends ClientCommand {
  static override summary = 'Revoke an API key';

  static override description =
    'The last admin key of a server for a team is revoked only after a confirmation, or with --yes.';

  static override examples = ['<%= config.bin %> api-keys revoke key_01k9m3v5w7x9y1z3a5b7c9d1e3'];

  static override args = { id: Args.string({ description: 'API key ID (key_…).', required: true }) };

  static override flags = { ...yesFlag, ...ifExistsFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ApiKeysRevoke);
    const { id } = args;
    await this.withClient(flags, async (client, target) => {
      const isLast = await isLastAdmin(client, id);
      if (isLast) await confirm(`Revoke ${id}, the last admin key, ${targetName(target)}`, flags);
      else await confirmOnRemote(target, `Revoke ${id}`, flags);
      const revoked = await deleteIfExists(flags, () => client.call('api-keys.revoke', { params: { id } }), {
        client,
        warn: (text) => this.printWarning(text),
      });
      if (isLast) this.printWarning(NONE_LEFT);
      this.print({ id, revoked }, () => `${id}  ${revoked ? 'revoked' : 'not found'}\n`);
    });
  }
}
