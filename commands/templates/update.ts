import { Args, Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/command/client-command.js';
import { UsageError } from '../../src/cli/errors/exit-codes.js';
import { fills, requestFields } from '../../src/cli/flags/request-field.js';
import { bodyFlags, yesFlag } from '../../src/cli/flags/shared.js';
import { oneLine } from '../../src/cli/output/text.js';
import { templateId } from '../../src/cli/templates/find.js';
import { confirmOnRemote } from '../../src/cli/terminal/confirm.js';

export default class TemplatesUpdate extends ClientCommand {
  static override summary = 'Update a template';

  static override examples = ['<%= config.bin %> templates update welcome --subject "Hello, {{name}}"'];

  static override args = { template: Args.string({ description: 'Template name or ID (tpl_…).', required: true }) };

  static override flags = {
    name: fills('name', Flags.string({ description: 'New name.' })),
    subject: fills('subject', Flags.string({ description: 'New subject.' })),
    ...bodyFlags,
    ...yesFlag,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TemplatesUpdate);
    const change = await requestFields(TemplatesUpdate.flags, flags);
    if (Object.keys(change).length === 0) {
      throw new UsageError('Nothing to update. Pass --name, --subject, --html, --html-file, --text or --text-file.');
    }
    await this.withClient(flags, async (client, target) => {
      const id = await templateId(client, args.template);
      await confirmOnRemote(target, `Update template ${args.template}`, flags);
      const template = await client.call('templates.update', { params: { id }, body: change });
      this.print(template, () => `${[template.id || id, oneLine(template.name)].filter(Boolean).join('  ')}\n`);
    });
  }
}
