import { Args, Flags } from '@oclif/core';
import { ControlCommand } from '../../../src/cli/command/control-command.js';
import { fills, requestFields } from '../../../src/cli/flags/request-field.js';
import { durationFlag, readWorkspaceName } from '../../../src/cli/flags/values/value-types.js';
import { workspaceLimitFlags } from '../../../src/cli/flags/workspaces.js';

export default class DevWorkspacesCreate extends ControlCommand {
  static override summary = 'Create a workspace with an API key';

  static override description =
    'Prints the API key once. Calls with the key see and change only the emails and webhooks of the workspace. An SMTP ' +
    'login belongs to the workspace if its password is the key or, on svc dev, its user name is the name of the ' +
    'workspace.';

  static override examples = [
    { description: 'Create a workspace', command: '<%= config.bin %> dev workspaces create worker-1' },
    {
      description: 'Create a workspace that is deleted with its emails after two hours',
      command: '<%= config.bin %> dev workspaces create --ttl 2h',
    },
    {
      description: 'Create a workspace that owns every address of a domain',
      command: `<%= config.bin %> dev workspaces create worker-3 --address '*@w3.example.test'`,
    },
  ];

  static override args = {
    name: Args.string({ description: 'Name of the workspace (default: a random one).', parse: readWorkspaceName }),
  };

  static override flags = {
    address: fills(
      'addresses',
      Flags.string({
        description: 'Recipient pattern whose emails belong to the workspace; * matches any text; repeatable.',
        helpValue: 'PATTERN',
        multiple: true,
      }),
    ),
    ...workspaceLimitFlags,
    ttl: fills(
      'ttl',
      durationFlag({ description: 'Time after which the workspace and its emails are deleted (default: never).' }),
    ),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DevWorkspacesCreate);
    const { addresses = [], ...fields } = await requestFields(DevWorkspacesCreate.flags, flags);
    await this.withClient(flags, async (client) => {
      const body = { ...(args.name !== undefined && { name: args.name }), ...fields, addresses };
      const created = await client.control('workspaces.create', { body });
      this.print(created, () => `${created.name}  ${created.api_key}\n`);
    });
  }
}
