import { Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/command/client-command.js';
import { nextCommand } from '../../src/cli/command/next-command.js';
import { UsageError } from '../../src/cli/errors/exit-codes.js';
import { fills, requestFields } from '../../src/cli/flags/request-field.js';
import { bodyFlags } from '../../src/cli/flags/shared.js';
import { oneLine, shellQuote } from '../../src/cli/output/text.js';

export default class TemplatesCreate extends ClientCommand {
  static override summary = 'Create a template';

  static override examples = [
    '<%= config.bin %> templates create --name welcome --subject "Welcome, {{name}}" --html "<p>Hello {{name}}</p>"',
  ];

  static override flags = {
    name: fills('name', Flags.string({ description: 'Name, unique in the account.', required: true })),
    subject: fills('subject', Flags.string({ description: 'Subject; may contain {{placeholders}}.', required: true })),
    ...bodyFlags,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(TemplatesCreate);
    const { html, ...fields } = await requestFields(TemplatesCreate.flags, flags);
    if (html === undefined) throw new UsageError('A template requires --html or --html-file.');
    await this.withClient(flags, async (client) => {
      const template = await client.call('templates.create', { body: { ...fields, html } });
      this.print(template, () => `${[template.id, oneLine(template.name)].filter(Boolean).join('  ')}\n`);
      this.info(
        `To see it, run: ${nextCommand(`templates render ${template.id || shellQuote(template.name)}`, flags)}`,
      );
    });
  }
}
