import { ListCommand } from '../../src/cli/command/list-command.js';
import { nextCommand } from '../../src/cli/command/next-command.js';
import { allFlag, pageFlags } from '../../src/cli/flags/shared.js';
import type { Column } from '../../src/cli/output/table.js';
import type { Template } from '../../src/contract/service/templates.js';

const COLUMNS: Column[] = [
  { title: 'ID', rank: 2, kind: 'id' },
  { title: 'NAME', rank: 1 },
  { title: 'UPDATED', rank: 4, kind: 'time' },
  { title: 'SUBJECT', rank: 3 },
];
const rowOf = ({ id, name, updated_at, subject }: Template) => [id, name, updated_at, subject];

export default class TemplatesList extends ListCommand {
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
    await this.withClient(flags, (client) =>
      this.printList(client, flags, {
        field: 'templates',
        columns: COLUMNS,
        row: rowOf,
        readPage: (query) => client.call('templates.list', { query }),
        none,
      }),
    );
  }
}
