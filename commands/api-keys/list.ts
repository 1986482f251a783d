import { type ListedKey, listKeys } from '../../src/cli/api-keys/list-keys.js';
import { ClientCommand } from '../../src/cli/command/client-command.js';
import { type Column, stdoutView, table } from '../../src/cli/output/table.js';

const COLUMNS: Column[] = [
  { title: 'ID', rank: 1, kind: 'id' },
  { title: 'ENVIRONMENT', rank: 4 },
  { title: 'PER MINUTE', rank: 6, kind: 'number' },
  { title: 'CREATED', rank: 5, kind: 'time' },
  { title: 'KIND', rank: 3 },
  { title: 'NAME', rank: 2 },
];

export default class ApiKeysList extends ClientCommand {
  static override summary = 'List API keys, newest first';

  static override description =
    'A server for a team has keys of three kinds: admin, ordinary, and those of a workspace.';

  static override examples = ['<%= config.bin %> api-keys list'];

  async run(): Promise<void> {
    const { flags } = await this.parse(ApiKeysList);
    await this.withClient(flags, async (client) => {
      const list = await listKeys(client);
      this.print(list, () => keyTable(list.api_keys, client.now));
    });
  }
}

function keyTable(keys: readonly ListedKey[], now: string | undefined) {
  // A server for one developer has only ordinary keys.
  const hasKinds = keys.some(({ kind = 'ordinary' }) => kind !== 'ordinary');
  const columns = COLUMNS.filter(({ title }) => hasKinds || title !== 'KIND');
  const rows = keys.map((key) => [
    ...[key.id, key.environment, String(key.rate_limit ?? ''), key.created_at],
    ...(hasKinds ? [[key.kind, key.workspace].filter(Boolean).join(' ')] : []),
    key.name,
  ]);
  return table(columns, rows, stdoutView(now));
}
