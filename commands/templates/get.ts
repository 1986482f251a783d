import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/command/client-command.js';
import { fieldLines } from '../../src/cli/output/fields.js';
import { localTime } from '../../src/cli/output/local-time.js';
import { templateId } from '../../src/cli/templates/find.js';

export default class TemplatesGet extends ClientCommand {
  static override summary = 'Show a template';

  static override examples = ['<%= config.bin %> templates get welcome'];

  static override args = {
    template: Args.string({
      description: 'Template name, ID (tpl_…), its last 6 or more characters, or latest.',
      required: true,
    }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TemplatesGet);
    await this.withClient(flags, async (client) => {
      const id = await templateId(client, args.template, { toRead: true });
      const template = await client.call('templates.get', { params: { id } });
      const { name, subject, created_at, updated_at, text, html } = template;
      this.print(template, () => {
        const head = fieldLines({ id, name, subject, created: localTime(created_at), updated: localTime(updated_at) });
        return [head, '\n', text || html, '\n'];
      });
    });
  }
}
