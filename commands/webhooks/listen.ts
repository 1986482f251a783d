import { Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client-command.js';
import { describeLine, forwardUrl } from '../../src/cli/listen-output.js';
import { listenForAttempts } from '../../src/cli/listen-session.js';
import { openListenTarget } from '../../src/cli/listen-target.js';
import { untilSignal } from '../../src/cli/signals.js';
import { openTarget } from '../../src/cli/target.js';

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
    const { events, to, header } = flags;
    // Looked up again each time: a server that was started anew may be at another address.
    const connect = async () =>
      (own ? target : await openTarget(flags, process.env, process.cwd(), { running: true })).client;
    try {
      for await (const line of listenForAttempts(connect, { forward_to: url, events, to, header }, stopping.signal)) {
        this.print(line, () => describeLine(line, target.baseUrl));
      }
    } finally {
      await target.finish();
      await own?.close();
    }
  }
}
