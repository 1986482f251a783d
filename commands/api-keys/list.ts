import { ClientCommand } from '../../src/cli/command/client-command.js';
import { type Column, stdoutView, table } from '../../src/cli/output/table.js';

const COLUMNS: Column[] = [
  { title: 'ID', rank: 1, kind: 'id' },
  { title: 'ENVIRONMENT', rank: 3 },
  { title: 'PER MINUTE', rank: 5, kind: 'number' },
  { title: 'CREATED', rank: 4, kind: 'time' },
  { title: 'NAME', rank: 2 },
];

export default class ApiKeysList extends ClientCommand {
  static override summary = 'List API keys, newest first';

  static override examples = ['<%= config.bin %> api-keys list'];

  async run(): Promise<void> {
    const { flags } = await this.parse(ApiKeysList);
    await this.withClient(flags, async (client) => {
      const list = await client.call('api-keys.list', {});
      this.print(list, () =>
        table(
          COLUMNS,
          list.api_keys.map((key) => [key.id, key.environment, String(key.rate_limit), key.created_at, key.name]),
          stdoutView(client.now),
        ),
      );
    });
  }
}
