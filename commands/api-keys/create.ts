import { Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client-command.js';
import { given } from '../../src/contract/given.js';
import { KEY_RATE_LIMIT_MAX } from '../../src/contract/limits.js';

export default class ApiKeysCreate extends ClientCommand {
  static override summary = 'Create an API key';

  static override description = 'The key’s value is printed on stdout, this once.';

  static override examples = [
    { description: 'A test key', command: '<%= config.bin %> api-keys create --name CI' },
    {
      description: 'Into a file, and nowhere else',
      command: '<%= config.bin %> api-keys create --name CI --rate-limit 600 --json > key.json',
    },
  ];

  static override flags = {
    name: Flags.string({ description: 'What it is for.', required: true }),
    environment: Flags.string({ description: 'Kind of key.', options: ['test', 'live'] as const, default: 'test' }),
    'rate-limit': Flags.integer({
      description: 'Requests per minute. Default: the plan’s.',
      min: 1,
      max: KEY_RATE_LIMIT_MAX,
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(ApiKeysCreate);
    const { name } = flags;
    const environment = flags.environment === 'live' ? 'live' : 'test';
    await this.withClient(flags, async (client) => {
      const body = { name, environment, ...given({ rate_limit: flags['rate-limit'] }) } as const;
      const key = await client.call('api-keys.create', { body });
      this.print(key, () => `${key.key}\n`);
      this.say(`${key.id}: keep the value now, it is not shown again.`);
    });
  }
}
