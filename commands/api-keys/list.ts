import { type ListedKey, listKeys } from '../../src/cli/api-keys/list-keys.js';
import { ClientCommand } from '../../src/cli/command/client-command.js';
import { type Column, stdoutView, table } from '../../src/cli/output/table.js';

const COLUMNS: Column[] = [
  { title: 'ID', rank: 1, kind: 'id' },
  { title: 'ENVIRONMENT', rank: 4 },
  { title: 'PER MINUTE', rank: 6, kind: 'number' },
  { title: 'CREATED', rank: 5, kind: 'time' },
  { title: 'KIND', rank: 3 },
  { title: 'OWNER', rank: 7 },
  { title: 'EXPIRES', rank: 8, kind: 'time' },
  { title: 'NAME', rank: 2 },
];

export default class ApiKeysList extends ClientCommand {
  static override summary = 'List API keys, newest first';

  static override description =
    'A server for a team has keys of four kinds: admin, ordinary, those of a workspace, and those that create workspaces.';

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
  const hasOwners = keys.some(({ owner = null }) => owner !== null);
  const hasExpiry = keys.some(({ expires_at = null }) => expires_at !== null);
  const shown: Partial<Record<string, boolean>> = { KIND: hasKinds, OWNER: hasOwners, EXPIRES: hasExpiry };
  const columns = COLUMNS.filter(({ title }) => shown[title] !== false);
  const rows = keys.map((key) => [
    ...[key.id, key.environment, String(key.rate_limit ?? ''), key.created_at],
    ...(hasKinds ? [[key.kind, key.workspace].filter(Boolean).join(' ')] : []),
    ...(hasOwners ? [key.owner ?? '-'] : []),
    ...(hasExpiry ? [key.expires_at ?? '-'] : []),
    key.name,
  ]);
  return table(columns, rows, stdoutView(now));
}
