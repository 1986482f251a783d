import { Flags } from '@oclif/core';
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { svcCommand } from '../../src/cli/data-dir/svc-command.js';
import { dataDirFlag } from '../../src/cli/flags/data-dir.js';
import {
  CA_FILE,
  failingCommand,
  formatSettings,
  serverVariables,
  settingsFormats,
  smtpClientSettings,
} from '../../src/cli/server/settings/formats.js';
import { frameworkNames, frameworkSettings } from '../../src/cli/server/settings/frameworks.js';
import { requireRunningServer } from '../../src/cli/target/running-server.js';

export default class DevEnv extends BaseCommand {
  static override summary = 'Print the local server’s settings as variables';

  static override description =
    'Prints the variables for a shell, a .env file, GitHub Actions or a program, or with --for the SMTP settings of a ' +
    'framework. If no server is running, the output for a shell is a command that fails, so that ' +
    '\'eval "$(svc dev env)"\' fails too.';

  static override exitCodes = { 5: 'No local server is running.' };

  static override examples = [
    { description: 'Set the variables in this shell', command: 'eval "$(<%= config.bin %> dev env)"' },
    { description: 'Set them in fish', command: '<%= config.bin %> dev env --format fish | source' },
    {
      description: 'Set them for the next steps of a GitHub Actions job',
      command: '<%= config.bin %> dev env --format github >> "$GITHUB_ENV"',
    },
    { description: 'Print the mail settings of Django', command: '<%= config.bin %> dev env --for django' },
    { description: 'Print the settings as JSON', command: '<%= config.bin %> dev env --json' },
  ];

  static override flags = {
    format: Flags.option({ options: settingsFormats, description: 'Output format.', default: 'sh' as const })(),
    for: Flags.option({
      options: frameworkNames,
      description: 'Print SMTP settings to paste into a project instead.',
      exclusive: ['format', 'json'],
    })(),
    ...dataDirFlag,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(DevEnv);
    const dataDir = this.takeDataDir(flags);
    const server = await requireRunningServer(dataDir).catch((error: unknown) => {
      // On a terminal, the error is enough.
      if (!flags.json && flags.for === undefined && !process.stdout.isTTY)
        process.stdout.write(failingCommand(flags.format));
      throw error;
    });
    const variables = serverVariables(server, dataDir);
    const text =
      flags.for === undefined
        ? formatSettings(flags.format, variables)
        : frameworkSettings(flags.for, smtpClientSettings(server));
    if (flags.for !== undefined && server.tls?.starttls && server.tls.ca !== null && server.tls.ca_file === null) {
      this.printWarning(
        `The CA of the server is in memory. Save it first: ${svcCommand('dev ca', dataDir)} > ${CA_FILE}`,
      );
    }
    // A program that reads it needs each character of a path.
    this.printContent(variables, text);
  }
}
