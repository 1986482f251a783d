import { ControlCommand, requireControl } from '../../src/cli/command/control-command.js';
import { requestFields } from '../../src/cli/flags/request-field.js';
import { requestFlags } from '../../src/cli/flags/requests.js';
import { lineOfRequest } from '../../src/cli/output/formatters/request.js';
import { stdoutDrained } from '../../src/cli/output/write-stdout.js';
import { runUntilStopped } from '../../src/cli/process/until-stopped.js';
import { openTarget } from '../../src/cli/target/target.js';
import { readServerSentEvents } from '../../src/client/event-source.js';
import { UnreachableError } from '../../src/client/failures.js';
import type { LoggedRequest } from '../../src/contract/control/request-log.js';

export default class LogsTail extends ControlCommand {
  static override summary = 'Follow requests to the local server';

  static override description =
    'Prints one line per request; with --json, one object per line. Runs until you stop it (exit code 130 after Ctrl-C) ' +
    'or the server stops (5). The reads of svc’s own commands are printed with --all.';

  static override exitCodes = { 5: 'The server stopped or is unreachable.', 130: 'Stopped with Ctrl-C.' };

  static override examples = [
    '<%= config.bin %> logs tail',
    { description: 'Follow rejected requests only', command: '<%= config.bin %> logs tail --status 4xx' },
  ];

  static override flags = requestFlags;

  async run(): Promise<void> {
    const { flags } = await this.parse(LogsTail);
    const query = await requestFields(requestFlags, flags);
    const target = await openTarget(flags, process.env, process.cwd(), { running: true });
    if (target.kind === 'remote') this.info(`Using ${target.baseUrl}`);
    await requireControl(target);
    await runUntilStopped(async (signal) => {
      const stream = target.client.stream('requests.stream', { query }, signal);
      for await (const { data } of readServerSentEvents(this.#reported(stream))) {
        const request = JSON.parse(data) as LoggedRequest;
        this.print(request, () => lineOfRequest(request));
        if (!(await stdoutDrained(signal))) return;
      }
      if (!signal.aborted) throw new UnreachableError(target.baseUrl, new Error('the server closed the stream'));
    });
  }

  /** Reports that the stream is connected. Every request after that is printed. */
  async *#reported(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let begun = false;
    for await (const chunk of stream) {
      if (!begun) this.status('Waiting for requests. Press Ctrl-C to stop.');
      begun = true;
      yield chunk;
    }
  }
}
