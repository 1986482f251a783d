import { ClientCommand } from '../../src/cli/command/client-command.js';
import { nextCommand } from '../../src/cli/command/next-command.js';
import { allPages } from '../../src/cli/emails/all-pages.js';
import { allFlag, moreHint, pageFlags } from '../../src/cli/flags/shared.js';
import { writeAll } from '../../src/cli/output/list.js';
import { type Column, stdoutView, table } from '../../src/cli/output/table.js';
import type { Template } from '../../src/contract/service/templates.js';

const COLUMNS: Column[] = [
  { title: 'ID', rank: 2, kind: 'id' },
  { title: 'NAME', rank: 1 },
  { title: 'UPDATED', rank: 4, kind: 'time' },
  { title: 'SUBJECT', rank: 3 },
];
const rowOf = ({ id, name, updated_at, subject }: Template) => [id, name, updated_at, subject];

export default class TemplatesList extends ClientCommand {
  static override summary = 'List templates, newest first';

  static override examples = [
    '<%= config.bin %> templates list',
    '<%= config.bin %> templates list --limit 100 --json',
    {
      description: 'Save all templates to a file',
      command: '<%= config.bin %> templates list --all --json > templates.json',
    },
  ];

  static override flags = { ...pageFlags, ...allFlag };

  async run(): Promise<void> {
    const { flags } = await this.parse(TemplatesList);
    const none = `No templates. Create one with: ${nextCommand('templates create', flags)}`;
    await this.withClient(flags, async (client) => {
      if (flags.all) {
        const pages = allPages(async (query) => {
          const { templates, pagination } = await client.call('templates.list', { query });
          return { items: templates, pagination };
        }, flags.offset);
        const count = await writeAll(
          pages,
          { field: 'templates', columns: COLUMNS, row: rowOf },
          { json: flags.json, now: () => client.now },
        );
        if (count === 0) this.info(none);
        return;
      }
      const page = await client.call('templates.list', { query: { limit: flags.limit, offset: flags.offset } });
      this.print(page, () =>
        page.templates.length > 0 ? table(COLUMNS, page.templates.map(rowOf), stdoutView(client.now)) : '',
      );
      if (page.pagination.total === 0) this.info(none);
      const more = moreHint(page.templates.length, page.pagination);
      if (more) this.info(more);
    });
  }
}
