import { ControlCommand, requireControl } from '../../src/cli/command/control-command.js';
import { requestFields } from '../../src/cli/flags/request-field.js';
import { requestFlags, smtpFlag } from '../../src/cli/flags/requests.js';
import type { Printable } from '../../src/cli/output/color.js';
import { lineOfRequest } from '../../src/cli/output/formatters/request.js';
import { lineOfSession } from '../../src/cli/output/formatters/smtp-session.js';
import { runUntilStopped } from '../../src/cli/process/signals.js';
import { stdoutDrained } from '../../src/cli/process/write-stdout.js';
import { openTarget } from '../../src/cli/target/target.js';
import { readServerSentEvents } from '../../src/client/event-source.js';
import { UnreachableError } from '../../src/client/failures.js';

export default class LogsTail extends ControlCommand {
  static override summary = 'Follow requests to the local server';

  static override description =
    'Prints one line per request; with --json, one object per line. Runs until you stop it (exit code 130 after Ctrl-C) ' +
    'or the server stops (5). The reads of svc’s own commands are printed with --all, and SMTP sessions with --smtp.';

  static override exitCodes = { 5: 'The server stopped or is unreachable.', 130: 'Stopped with Ctrl-C.' };

  static override examples = [
    '<%= config.bin %> logs tail',
    { description: 'Follow rejected requests only', command: '<%= config.bin %> logs tail --status 4xx' },
  ];

  static override flags = { ...requestFlags, smtp: smtpFlag };

  /** The number of streams that are not connected yet. */
  #connecting = 1;

  async run(): Promise<void> {
    const { flags } = await this.parse(LogsTail);
    if (flags.smtp) this.#connecting += 1;
    const query = await requestFields(requestFlags, flags);
    const target = await openTarget(flags, process.env, process.cwd(), { running: true });
    if (target.kind === 'remote') this.info(`Using ${target.baseUrl}`);
    await requireControl(target);
    const { client } = target;
    await runUntilStopped(async (signal) => {
      const ended = new AbortController();
      const until = AbortSignal.any([signal, ended.signal]);
      const requests = this.#printAll(client.stream('requests.stream', { query }, until), lineOfRequest, until);
      const sessions = flags.smtp
        ? this.#printAll(client.stream('smtp-sessions.stream', {}, until), lineOfSession, until)
        : requests;
      // When one of them ends or fails, the other one is ended.
      const first = Promise.race([requests, sessions]).finally(() => ended.abort());
      const [isRead] = await Promise.all([first, requests, sessions]);
      if (isRead && !signal.aborted)
        throw new UnreachableError(target.baseUrl, new Error('the server closed the stream'));
    });
  }

  /** Prints what a stream has. Returns false if the reader of stdout has closed it. */
  async #printAll<T>(
    stream: AsyncIterable<Uint8Array>,
    format: (item: T) => Printable,
    signal: AbortSignal,
  ): Promise<boolean> {
    for await (const { data } of readServerSentEvents(this.#reported(stream))) {
      const item = JSON.parse(data) as T;
      this.print(item, () => format(item));
      if (!(await stdoutDrained(signal))) return false;
    }
    return true;
  }

  /** Reports that every stream is connected. Everything after that is printed. */
  async *#reported(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let begun = false;
    for await (const chunk of stream) {
      if (!begun) this.#connecting -= 1;
      if (!begun && this.#connecting === 0) this.status('Waiting for requests. Press Ctrl-C to stop.');
      begun = true;
      yield chunk;
    }
  }
}
