import { ClientCommand } from '../../src/cli/client-command.js';
import { moreHint, pageFlags } from '../../src/cli/shared-flags.js';
import { table } from '../../src/cli/text.js';

export default class TemplatesList extends ClientCommand {
  static override summary = 'List templates, newest first';

  static override examples = [
    '<%= config.bin %> templates list',
    '<%= config.bin %> templates list --limit 100 --json',
  ];

  static override flags = { ...pageFlags };

  async run(): Promise<void> {
    const { flags } = await this.parse(TemplatesList);
    await this.withClient(flags, async (client) => {
      const page = await client.call('templates.list', { query: { limit: flags.limit, offset: flags.offset } });
      this.print(page, () => {
        const rows = page.templates.map(({ id, name, updated_at, subject }) => [id, name, updated_at, subject]);
        return rows.length > 0 ? table(['ID', 'NAME', 'UPDATED', 'SUBJECT'], rows) : '';
      });
      if (page.pagination.total === 0) this.say('No templates. Make one with: svc templates create');
      const more = moreHint(page.templates.length, page.pagination);
      if (more) this.say(more);
    });
  }
}
