import { Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client-command.js';
import { exitCodes } from '../../src/cli/exit-codes.js';
import { describeLine } from '../../src/cli/listen-output.js';
import { openListenTarget } from '../../src/cli/listen-target.js';
import { readListenFlags } from '../../src/cli/listen-wishes.js';
import { type StopSignal, untilSignal } from '../../src/cli/signals.js';
import { canShowView } from '../../src/cli/terminal.js';
import { leaveOutput, taken } from '../../src/cli/write-out.js';

export default class WebhooksListen extends ClientCommand {
  static override summary = 'Forward events to a URL on this machine, signed, for as long as this runs';

  static override description =
    'Prints ready with the signing secret once the subscription is there, then one line an attempt. With ' +
    'no local server running, it runs one until it ends. With --json every line is an object: first ' +
    'ready, then each attempt. On a terminal it is a live view, unless --no-input. A remote service needs a way to this machine: with --public-url a webhook is made there ' +
    'that posts to it, each signature is verified, and the webhook is removed at the end.';

  static override exitCodes = { 130: 'Stopped by ^C.' };

  static override examples = [
    {
      description: 'To an application on port 3000',
      command: '<%= config.bin %> webhooks listen --forward-to http://localhost:3000/hooks',
    },
    {
      description: 'Bounces and complaints alone',
      command: '<%= config.bin %> webhooks listen --forward-to :3000/hooks --events email.bounced,email.complained',
    },
    {
      description: 'From a remote service, through a tunnel that leads to port 4444',
      command:
        '<%= config.bin %> webhooks listen --profile staging --forward-to :3000/hooks --public-url https://tunnel.example --port 4444',
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
    'public-url': Flags.string({
      description: 'For a remote service: a public https address that leads to --port, e.g. from a tunnel.',
      helpValue: 'URL',
    }),
    input: Flags.boolean({
      description: 'On a terminal, a live view; --no-input prints lines there too.',
      default: true,
      allowNo: true,
    }),
    port: Flags.integer({
      description: 'Port on this machine that --public-url leads to; 0 picks a free one.',
      min: 0,
      max: 65_535,
      dependsOn: ['public-url'],
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(WebhooksListen);
    const wishes = readListenFlags(flags);
    const signal = untilSignal(STOP_SIGNALS);
    const { source, baseUrl, own, warnings } = await openListenTarget(flags, wishes, process.env, process.cwd());
    for (const warning of warnings) this.warnOf(warning);
    if (own) {
      const { base_url, smtp } = own.address;
      this.say(`No local server was running; this command runs one at ${base_url}, SMTP on port ${smtp.port}.`);
    }
    const stopping = new AbortController();
    void signal.then((name) => {
      stopping.abort();
      process.exitCode = stopCodes[name];
    });
    // Whoever read the lines has seen enough (`| head -1`).
    process.stdout.once('error', () => stopping.abort());
    try {
      if (!flags.json && flags.input && canShowView(process.env)) {
        const { showListening } = await import('../../src/cli/ui/listen-view.js');
        const quit = () => stopping.abort();
        const interrupt = () => process.kill(process.pid, 'SIGINT');
        await showListening(source, { baseUrl, signal: stopping.signal, quit, interrupt });
      } else {
        for await (const line of source.lines(stopping.signal)) {
          this.print(line, () => describeLine(line, baseUrl));
          if (!(await taken(stopping.signal))) break;
        }
      }
    } finally {
      await source.close();
      await leaveOutput(stopping.signal);
    }
  }
}

/** A terminal that is closed ends it as well as ^C: what was set up elsewhere must go. */
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const stopCodes: Record<StopSignal, number> = {
  SIGHUP: exitCodes.hungUp,
  SIGINT: exitCodes.interrupted,
  SIGTERM: exitCodes.terminated,
};
