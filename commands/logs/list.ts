import { Flags } from '@oclif/core';
import { ControlCommand } from '../../src/cli/control-command.js';
import { requestFlags } from '../../src/cli/request-flags.js';
import { REQUEST_COLUMNS, requestRow } from '../../src/cli/request-output.js';
import { stdoutView, table } from '../../src/cli/table.js';
import { LOGGED_REQUESTS_DEFAULT, LOGGED_REQUESTS_MAX } from '../../src/contract/limits.js';

export default class LogsList extends ControlCommand {
  static override summary = 'List the requests that the local server got, newest first';

  static override description =
    'The newest 10,000 are kept: method, path, status, time taken, key, warnings and error; never a key’s value or ' +
    'a body. What svc itself asks of the control API is left out.';

  static override examples = [
    { description: 'What was refused', command: '<%= config.bin %> logs list --status 4xx' },
    { description: 'Calls about emails, as JSON', command: `<%= config.bin %> logs list --path '/v1/emails*' --json` },
  ];

  static override flags = {
    ...requestFlags,
    limit: Flags.integer({
      description: `How many, 1 to ${LOGGED_REQUESTS_MAX}.`,
      min: 1,
      max: LOGGED_REQUESTS_MAX,
      default: LOGGED_REQUESTS_DEFAULT,
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(LogsList);
    const { status, path, method, limit } = flags;
    await this.withClient(flags, async (client) => {
      const listed = await client.control('requests.list', { query: { status, path, method, limit } });
      const rows = listed.requests.map(requestRow);
      this.print(listed, () => (rows.length > 0 ? table(REQUEST_COLUMNS, rows, stdoutView(client.now)) : ''));
      const filtered = (status ?? path ?? method) !== undefined;
      if (rows.length === 0)
        this.say(filtered ? 'No request matches.' : 'No requests. They are logged while "svc dev" runs.');
    });
  }
}
