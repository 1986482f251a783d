import { Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/command/client-command.js';
import { fills, requestFields } from '../../src/cli/flags/request-field.js';
import { durationFlag } from '../../src/cli/flags/values/value-types.js';
import { NoControlError } from '../../src/client/failures.js';
import { KEY_RATE_LIMIT_MAX } from '../../src/contract/vocabulary/limits.js';

/** Flags that need the control API. */
const CONTROL_FLAGS = ['admin', 'workspace', 'creates-workspaces', 'owner', 'expires'] as const;

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
    {
      description: 'Create a key for CI that creates workspaces, and expires in 90 days',
      command: '<%= config.bin %> api-keys create --name CI --creates-workspaces --owner platform --expires 90d',
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
        exclusive: ['workspace', 'creates-workspaces'],
      }),
    ),
    workspace: fills(
      'workspace',
      Flags.string({
        description: 'Workspace to which the key is limited. Takes an admin key.',
        helpValue: 'NAME',
      }),
    ),
    'creates-workspaces': fills(
      'creates_workspaces',
      Flags.boolean({
        description: 'Create a key that creates workspaces with a limited life, and can do nothing else.',
        exclusive: ['workspace'],
      }),
    ),
    owner: fills(
      'owner',
      Flags.string({ description: 'Name of the person or job that uses the key.', helpValue: 'NAME' }),
    ),
    expires: fills('expires_in', durationFlag({ description: 'Time until the key stops working (default: never).' })),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(ApiKeysCreate);
    const body = await requestFields(ApiKeysCreate.flags, flags);
    await this.withClient(flags, async (client) => {
      const ofControl = CONTROL_FLAGS.find((name) => flags[name] !== undefined && flags[name] !== false);
      const key = await (ofControl
        ? client.control('api-keys.issue', { body }).catch((error: unknown) => {
            throw error instanceof NoControlError ? error.forFlag(`--${ofControl}`) : error;
          })
        : client.call('api-keys.create', { body }));
      this.print(key, () => `${key.key}\n`);
      this.info(`${key.id || key.name}: copy the key now; it is not shown again.`);
    });
  }
}
