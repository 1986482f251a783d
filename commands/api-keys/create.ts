import { Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/command/client-command.js';
import { fills, requestFields } from '../../src/cli/flags/request-field.js';
import { NoControlError } from '../../src/client/failures.js';
import { KEY_RATE_LIMIT_MAX } from '../../src/contract/vocabulary/limits.js';

export default class ApiKeysCreate extends ClientCommand {
  static override summary = 'Create an API key';

  static override description = 'Prints the key on stdout. It is not shown again.';

  static override examples = [
    { description: 'Create a test key', command: '<%= config.bin %> api-keys create --name CI --rate-limit 600' },
    {
      description: 'Save the key to a file',
      command: '<%= config.bin %> api-keys create --name CI --rate-limit 600 --json > key.json',
    },
    {
      description: 'Create another admin key of a server for a team',
      command: '<%= config.bin %> api-keys create --name ops --admin',
    },
  ];

  static override flags = {
    name: fills('name', Flags.string({ description: 'Name that describes the key’s purpose.', required: true })),
    environment: fills(
      'environment',
      Flags.option({ description: 'Environment of the key.', options: ['test', 'live'] as const, default: 'test' })(),
    ),
    'rate-limit': fills(
      'rate_limit',
      Flags.integer({
        description: 'Requests per minute (default: the plan’s limit).',
        min: 1,
        max: KEY_RATE_LIMIT_MAX,
      }),
    ),
    admin: fills(
      'admin',
      Flags.boolean({
        description: 'Create an admin key of a server for a team. Takes such a key.',
        exclusive: ['workspace'],
      }),
    ),
    workspace: fills(
      'workspace',
      Flags.string({
        description: 'Workspace to which the key is limited. Takes an admin key.',
        helpValue: 'NAME',
      }),
    ),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(ApiKeysCreate);
    const body = await requestFields(ApiKeysCreate.flags, flags);
    await this.withClient(flags, async (client) => {
      const isOfKind = flags.admin || flags.workspace !== undefined;
      const key = await (isOfKind
        ? client.control('api-keys.issue', { body }).catch((error: unknown) => {
            throw error instanceof NoControlError ? error.forFlag(flags.admin ? '--admin' : '--workspace') : error;
          })
        : client.call('api-keys.create', { body }));
      this.print(key, () => `${key.key}\n`);
      this.info(`${key.id || key.name}: copy the key now; it is not shown again.`);
    });
  }
}
