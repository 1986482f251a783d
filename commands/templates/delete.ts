import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/command/client-command.js';
import { deleteIfExists } from '../../src/cli/command/delete-if-exists.js';
import { ifExistsFlag, yesFlag } from '../../src/cli/flags/shared.js';
import { templateId } from '../../src/cli/templates/find.js';
import { confirmOnRemote } from '../../src/cli/terminal/confirm.js';

export default class TemplatesDelete extends ClientCommand {
  static override summary = 'Delete a template';

  static override examples = ['<%= config.bin %> templates delete welcome'];

  static override args = { template: Args.string({ description: 'Template name or ID (tpl_…).', required: true }) };

  static override flags = { ...yesFlag, ...ifExistsFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TemplatesDelete);
    await this.withClient(flags, async (client, target) => {
      let id: string | null = null;
      const deleted = await deleteIfExists(
        flags,
        async () => {
          id = await templateId(client, args.template);
          await confirmOnRemote(target, `Delete template ${args.template}`, flags);
          await client.call('templates.delete', { params: { id } });
        },
        { client, warn: (text) => this.printWarning(text) },
      );
      this.print({ id, deleted }, () => `${id ?? args.template}  ${deleted ? 'deleted' : 'not found'}\n`);
    });
  }
}
