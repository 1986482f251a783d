import { ClientCommand } from '../../src/cli/client-command.js';
import { table } from '../../src/cli/text.js';

export default class ApiKeysList extends ClientCommand {
  static override summary = 'List API keys, newest first, without their values';

  static override examples = ['<%= config.bin %> api-keys list'];

  async run(): Promise<void> {
    const { flags } = await this.parse(ApiKeysList);
    await this.withClient(flags, async (client) => {
      const list = await client.call('api-keys.list', {});
      this.print(list, () =>
        table(
          ['ID', 'ENVIRONMENT', 'PER MINUTE', 'CREATED', 'NAME'],
          list.api_keys.map((key) => [key.id, key.environment, String(key.rate_limit), key.created_at, key.name]),
        ),
      );
    });
  }
}
