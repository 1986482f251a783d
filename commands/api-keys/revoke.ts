import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/command/client-command.js';
import { deleteIfExists } from '../../src/cli/command/delete-if-exists.js';
import { ifExistsFlag, yesFlag } from '../../src/cli/flags/shared.js';
import { confirmOnRemote } from '../../src/cli/terminal/confirm.js';

export default class ApiKeysRevoke extends ClientCommand {
  static override summary = 'Revoke an API key';

  static override examples = ['<%= config.bin %> api-keys revoke key_01k9m3v5w7x9y1z3a5b7c9d1e3'];

  static override args = { id: Args.string({ description: 'API key ID (key_…).', required: true }) };

  static override flags = { ...yesFlag, ...ifExistsFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ApiKeysRevoke);
    const { id } = args;
    await this.withClient(flags, async (client, target) => {
      await confirmOnRemote(target, `Revoke ${id}`, flags);
      const revoked = await deleteIfExists(flags, () => client.call('api-keys.revoke', { params: { id } }), client);
      this.print({ id, revoked }, () => `${id}  ${revoked ? 'revoked' : 'not found'}\n`);
    });
  }
}
