import { Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client-command.js';
import { CommandError } from '../../src/cli/exit-codes.js';
import { describeAttempt, forwardUrl } from '../../src/cli/listen-output.js';
import { openListenTarget } from '../../src/cli/listen-target.js';
import { untilSignal } from '../../src/cli/signals.js';
import type { Client } from '../../src/client/client.js';
import { readServerSentEvents } from '../../src/client/event-source.js';
import type { AttemptReport } from '../../src/contract/delivery-control.js';

export default class WebhooksListen extends ClientCommand {
  static override summary = 'Forward events to a URL on this machine, signed, for as long as this runs';

  static override description =
    'Prints ready with the signing secret once the subscription is there, then one line an attempt. With ' +
    'no local server running, it runs one until it ends. With --json every line is an object: first ' +
    'ready, then each attempt.';

  static override examples = [
    {
      description: 'To an application on port 3000',
      command: '<%= config.bin %> webhooks listen --forward-to http://localhost:3000/hooks',
    },
    {
      description: 'Bounces and complaints alone',
      command: '<%= config.bin %> webhooks listen --forward-to :3000/hooks --events email.bounced,email.complained',
    },
  ];

  static override flags = {
    'forward-to': Flags.string({
      description: 'Where events go: a URL, host:port/path or :port/path.',
      required: true,
      helpValue: 'URL',
    }),
    events: Flags.string({ description: 'Event types, comma-separated. Default: all.', helpValue: 'A,B' }),
    to: Flags.string({ description: 'Only emails to these recipients; * stands for any text.', helpValue: 'PATTERN' }),
    header: Flags.string({
      char: 'H',
      description: 'A header to send along; repeatable.',
      multiple: true,
      helpValue: '"NAME: VALUE"',
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(WebhooksListen);
    const url = forwardUrl(flags['forward-to']);
    const stop = untilSignal();
    const { target, own } = await openListenTarget(flags, process.env, process.cwd());
    if (own)
      this.say(
        `No local server was running; this command runs one at ${own.address.base_url}, SMTP on port ${own.address.smtp.port}.`,
      );
    const stopping = new AbortController();
    void stop.then(() => stopping.abort());
    try {
      const query = { forward_to: url, events: flags.events, to: flags.to, header: flags.header };
      await this.#report(target.client, query, stopping.signal);
      if (!stopping.signal.aborted)
        throw new CommandError(
          `The server at ${target.baseUrl} ended the stream.`,
          'Start it again, then this command.',
        );
    } finally {
      await target.finish();
      await own?.close();
    }
  }

  async #report(
    client: Client,
    query: { forward_to: string; events: string | undefined; to: string | undefined; header: string[] | undefined },
    signal: AbortSignal,
  ): Promise<void> {
    const { forward_to, events, to, header } = query;
    const stream = client.stream('webhooks.listen', { query: { forward_to, events, to, header } as never }, signal);
    for await (const { event, data } of readServerSentEvents(stream)) {
      if (event === 'ready') {
        const ready = JSON.parse(data) as { url: string; secret: string };
        this.print(
          { event: 'ready', ...ready },
          () => `ready: forwarding to ${ready.url}\nsigning secret: ${ready.secret}\n`,
        );
      } else {
        const report = JSON.parse(data) as AttemptReport;
        this.print({ event: 'attempt', ...report }, () => describeAttempt(report));
      }
    }
  }
}
