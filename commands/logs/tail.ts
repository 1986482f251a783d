import { ControlCommand, requireControl } from '../../src/cli/control-command.js';
import { requestFlags } from '../../src/cli/request-flags.js';
import { lineOfRequest } from '../../src/cli/request-output.js';
import { untilStopped } from '../../src/cli/stopping.js';
import { openTarget } from '../../src/cli/target.js';
import { taken } from '../../src/cli/write-out.js';
import { readServerSentEvents } from '../../src/client/event-source.js';
import { UnreachableError } from '../../src/client/failures.js';
import type { LoggedRequest } from '../../src/contract/request-log-control.js';

export default class LogsTail extends ControlCommand {
  static override summary = 'Show requests to the local server as they come in';

  static override description =
    'One line a request; with --json an object a line. Runs until it is stopped (130 after ^C) or the server ends (5).';

  static override exitCodes = { 5: 'The server ended, or is out of reach.', 130: 'Stopped by ^C.' };

  static override examples = [
    '<%= config.bin %> logs tail',
    { description: 'Only what was refused or failed', command: '<%= config.bin %> logs tail --status 4xx' },
  ];

  static override flags = requestFlags;

  async run(): Promise<void> {
    const { flags } = await this.parse(LogsTail);
    const { status, path, method } = flags;
    const target = await openTarget(flags, process.env, process.cwd(), { running: true });
    if (target.kind === 'remote') this.say(`Using ${target.baseUrl}`);
    await requireControl(target);
    await untilStopped(async (signal) => {
      const stream = target.client.stream('requests.stream', { query: { status, path, method } }, signal);
      for await (const { data } of readServerSentEvents(this.#announced(stream))) {
        const request = JSON.parse(data) as LoggedRequest;
        this.print(request, () => lineOfRequest(request));
        if (!(await taken(signal))) return;
      }
      if (!signal.aborted) throw new UnreachableError(target.baseUrl, new Error('the server ended the stream'));
    });
  }

  /** Says that it listens once the server does: what is asked from then on is shown. */
  async *#announced(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let begun = false;
    for await (const chunk of stream) {
      if (!begun) this.announce('Waiting for requests. Stop with Ctrl-C.');
      begun = true;
      yield chunk;
    }
  }
}
