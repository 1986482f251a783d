import { Flags } from '@oclif/core';
import { ControlCommand } from '../../src/cli/command/control-command.js';
import { fills, requestFields } from '../../src/cli/flags/request-field.js';
import { requestFlags, smtpFlag } from '../../src/cli/flags/requests.js';
import { REQUEST_COLUMNS, requestRow } from '../../src/cli/output/formatters/request.js';
import { requestRowOf } from '../../src/cli/output/formatters/smtp-session.js';
import { stdoutView, table } from '../../src/cli/output/table.js';
import { LOGGED_REQUESTS_DEFAULT, LOGGED_REQUESTS_MAX } from '../../src/contract/vocabulary/limits.js';

export default class LogsList extends ControlCommand {
  static override summary = 'List requests to the local server, newest first';

  static override description =
    'Lists requests with their status, duration, API key ID, warnings, and the error with the first invalid ' +
    'fields, but never key values or bodies. The server keeps the newest 10,000, without calls to the control ' +
    'API. The reads of svc’s own commands, such as "svc whoami", are listed with --all, and SMTP sessions with ' +
    '--smtp.';

  static override examples = [
    { description: 'List rejected requests', command: '<%= config.bin %> logs list --status 4xx' },
    { description: 'List the reads of svc’s own commands too', command: '<%= config.bin %> logs list --all' },
    {
      description: 'List requests to /v1/emails as JSON',
      command: `<%= config.bin %> logs list --path '/v1/emails*' --json`,
    },
  ];

  static override flags = {
    ...requestFlags,
    smtp: smtpFlag,
    limit: fills(
      'limit',
      Flags.integer({
        description: `Maximum number of requests to list, 1 to ${LOGGED_REQUESTS_MAX}.`,
        min: 1,
        max: LOGGED_REQUESTS_MAX,
        default: LOGGED_REQUESTS_DEFAULT,
      }),
    ),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(LogsList);
    const query = await requestFields(LogsList.flags, flags);
    await this.withClient(flags, async (client) => {
      const requests = await client.control('requests.list', { query });
      const sessions = flags.smtp
        ? await client.control('smtp-sessions.list', { query: { limit: flags.limit } })
        : undefined;
      const listed = { ...requests, ...sessions };
      const rows = [...requests.requests.map(requestRow), ...(sessions?.sessions.map(requestRowOf) ?? [])];
      if (sessions) rows.sort(([a = ''], [b = '']) => Date.parse(b) - Date.parse(a)).splice(flags.limit);
      this.print(listed, () => (rows.length > 0 ? table(REQUEST_COLUMNS, rows, stdoutView(client.now)) : ''));
      const own = flags.all ? '' : ' Add --all for the reads of svc’s own commands.';
      const filtered = (flags.status ?? flags.path ?? flags.method) !== undefined;
      if (rows.length === 0)
        this.info(filtered ? 'No requests match.' : `No requests. They are logged while "svc dev" is running.${own}`);
    });
  }
}
