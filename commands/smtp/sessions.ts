import { Args, Flags } from '@oclif/core';
import { ControlCommand, requireControl } from '../../src/cli/command/control-command.js';
import { idToRead, LATEST } from '../../src/cli/command/resource-id.js';
import { NotFoundError, UsageError } from '../../src/cli/errors/exit-codes.js';
import type { TargetFlags } from '../../src/cli/flags/target.js';
import {
  describeSession,
  lineOfSession,
  SESSION_COLUMNS,
  sessionRow,
} from '../../src/cli/output/formatters/smtp-session.js';
import { stdoutView, table } from '../../src/cli/output/table.js';
import { runUntilStopped } from '../../src/cli/process/signals.js';
import { stdoutDrained } from '../../src/cli/process/write-stdout.js';
import { openTarget } from '../../src/cli/target/target.js';
import type { Client } from '../../src/client/client.js';
import { readServerSentItems } from '../../src/client/event-source.js';
import { UnreachableError } from '../../src/client/failures.js';
import type { SmtpSession } from '../../src/contract/control/logs.js';
import { LOGGED_REQUESTS_DEFAULT, LOGGED_REQUESTS_MAX } from '../../src/contract/vocabulary/limits.js';

export default class SmtpSessions extends ControlCommand {
  static override summary = 'List SMTP sessions, or show one';

  static override description =
    'Lists the newest 1,000 sessions, and 1,000 failed ones in addition: those with a refused command or a ' +
    'message that was broken off. With an ID, shows the transcript with the time of each command and reply, and ' +
    'what was received of messages that were not accepted. Credentials are masked.';

  static override exitCodes = {
    5: 'With --follow: the server stopped or is unreachable.',
    130: 'Stopped with Ctrl-C.',
  };

  static override examples = [
    {
      description: 'List sessions with a refused command or a broken message',
      command: '<%= config.bin %> smtp sessions --failed',
    },
    { description: 'Show the newest session', command: '<%= config.bin %> smtp sessions latest' },
    { description: 'Show the newest failed session', command: '<%= config.bin %> smtp sessions latest --failed' },
    { description: 'Print sessions when they end', command: '<%= config.bin %> smtp sessions --follow' },
  ];

  static override args = {
    id: Args.string({ description: 'ID of the session to show (smtp_…), its last 6 or more characters, or latest.' }),
  };

  static override flags = {
    failed: Flags.boolean({ description: 'Show only sessions with a refused command or a broken message.' }),
    follow: Flags.boolean({ description: 'Print sessions when they end, until stopped.', exclusive: ['limit'] }),
    limit: Flags.integer({
      description: `Maximum number of sessions to list, 1 to ${LOGGED_REQUESTS_MAX} (default: ${LOGGED_REQUESTS_DEFAULT}).`,
      min: 1,
      max: LOGGED_REQUESTS_MAX,
    }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SmtpSessions);
    if (args.id !== undefined) refuseListFlags(args.id, flags);
    const query = flags.failed ? ({ failed: 'true' } as const) : {};
    if (args.id === undefined && flags.follow) return this.#follow(query, flags);
    await this.withClient(flags, async (client) => {
      if (args.id !== undefined) {
        const id = await this.#idOf(client, args.id, flags);
        const session = await client.control('smtp-sessions.get', { params: { id } });
        return this.print(session, () => describeSession(session));
      }
      const listed = await client.control('smtp-sessions.list', { query: { ...query, limit: flags.limit } });
      const rows = listed.sessions.map(sessionRow);
      this.print(listed, () => (rows.length > 0 ? table(SESSION_COLUMNS, rows, stdoutView(client.now)) : ''));
      if (rows.length === 0)
        this.info(flags.failed ? 'No failed sessions.' : 'No sessions. They are recorded while "svc dev" is running.');
    });
  }

  /** Returns the ID of the session to show. With `--failed`, `latest` is the newest failed one. */
  async #idOf(client: Client, id: string, flags: TargetFlags & { failed: boolean }): Promise<string> {
    if (id !== LATEST || !flags.failed) return idToRead(client, 'smtp-session', id, flags);
    const { sessions } = await client.control('smtp-sessions.list', { query: { failed: 'true', limit: 1 } });
    const [newest] = sessions;
    if (!newest) throw new NotFoundError('No failed SMTP sessions.');
    return newest.id;
  }

  async #follow(query: { failed?: 'true' }, flags: Parameters<typeof openTarget>[0]): Promise<void> {
    const target = await openTarget(flags, process.env, process.cwd(), { running: true });
    if (target.kind === 'remote') this.info(`Using ${target.baseUrl}`);
    await requireControl(target);
    await runUntilStopped(async (signal) => {
      let begun = false;
      for await (const item of readServerSentItems(target.client.stream('smtp-sessions.stream', { query }, signal))) {
        // The first comment comes when no session can be missed.
        if (!begun) this.status('Waiting for SMTP sessions. Press Ctrl-C to stop.');
        begun = true;
        if (item === 'comment') continue;
        const session = JSON.parse(item.data) as SmtpSession;
        this.print(session, () => lineOfSession(session));
        if (!(await stdoutDrained(signal))) return;
      }
      if (!signal.aborted) throw new UnreachableError(target.baseUrl, new Error('the server closed the stream'));
    });
  }
}

/** @throws UsageError for flags of lists together with an ID. */
function refuseListFlags(id: string, flags: { failed: boolean; follow: boolean; limit?: number | undefined }): void {
  const refused = [
    ['--follow', flags.follow],
    ['--limit', flags.limit !== undefined],
    ['--failed', flags.failed && id !== LATEST],
  ] as const;
  for (const [name, isGiven] of refused) {
    if (isGiven) throw new UsageError(`${name} cannot be combined with an ID.`);
  }
}
