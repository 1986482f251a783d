import { Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/command/client-command.js';
import { exitCodes } from '../../src/cli/errors/exit-codes.js';
import { finishStdout, stdoutDrained } from '../../src/cli/output/write-stdout.js';
import { type StopSignal, untilSignal } from '../../src/cli/process/signals.js';
import { canShowView } from '../../src/cli/terminal/capabilities.js';
import { describeLine } from '../../src/cli/webhooks/attempt-output.js';
import { readListenFlags } from '../../src/cli/webhooks/listen/options.js';
import { openListenTarget } from '../../src/cli/webhooks/listen/target.js';

export default class WebhooksListen extends ClientCommand {
  static override summary = 'Forward events to a URL on this machine';

  static override description =
    'Signs and forwards events until you stop it. Prints "ready" with the signing secret, then one line per attempt; with ' +
    '--json, one object per line. Shows a live view on a terminal unless you pass --no-input. If no local server is ' +
    'running, starts one until the command ends. For a remote service, pass --public-url: svc creates a webhook there that ' +
    'posts to this URL, verifies each signature, and deletes the webhook at the end.';

  static override exitCodes = { 130: 'Stopped with Ctrl-C.' };

  static override examples = [
    {
      description: 'Forward to an application on port 3000',
      command: '<%= config.bin %> webhooks listen --forward-to http://localhost:3000/hooks',
    },
    {
      description: 'Forward only bounces and complaints',
      command: '<%= config.bin %> webhooks listen --forward-to :3000/hooks --events email.bounced,email.complained',
    },
    {
      description: 'Forward from a remote service through a tunnel to port 4444',
      command:
        '<%= config.bin %> webhooks listen --profile staging --forward-to :3000/hooks --public-url https://tunnel.example --port 4444',
    },
  ];

  static override flags = {
    'forward-to': Flags.string({
      description: 'URL to forward events to; host:port/path or :port/path for short.',
      required: true,
      helpValue: 'URL',
    }),
    events: Flags.string({ description: 'Event types to forward, comma-separated (default: all).', helpValue: 'A,B' }),
    to: Flags.string({
      description: 'Forward events of these recipients only; * matches any text.',
      helpValue: 'PATTERN',
    }),
    header: Flags.string({
      char: 'H',
      description: 'Header to add to each request; repeatable.',
      multiple: true,
      helpValue: '"NAME: VALUE"',
    }),
    'public-url': Flags.string({
      description: 'Public https URL that leads to --port, such as a tunnel; required for a remote service.',
      helpValue: 'URL',
    }),
    input: Flags.boolean({
      description: 'Show a live view on a terminal; --no-input prints lines.',
      default: true,
      allowNo: true,
    }),
    port: Flags.integer({
      description: 'Local port that --public-url leads to; 0 selects a free port.',
      min: 0,
      max: 65_535,
      dependsOn: ['public-url'],
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(WebhooksListen);
    const options = readListenFlags(flags);
    const signal = untilSignal(STOP_SIGNALS);
    const { source, baseUrl, own, warnings } = await openListenTarget(flags, options, process.env, process.cwd());
    for (const warning of warnings) this.printWarning(warning);
    if (own) {
      const { base_url, smtp } = own.address;
      this.info(`No local server is running; started one at ${base_url}, SMTP on port ${smtp.port}.`);
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
        const { showListening } = await import('../../src/cli/webhooks/listen-view/listen-view.js');
        const quit = () => stopping.abort();
        const interrupt = () => process.kill(process.pid, 'SIGINT');
        await showListening(source, { baseUrl, signal: stopping.signal, quit, interrupt });
      } else {
        for await (const line of source.lines(stopping.signal)) {
          this.print(line, () => describeLine(line, baseUrl));
          if (!(await stdoutDrained(stopping.signal))) break;
        }
      }
    } finally {
      await source.close();
      await finishStdout(stopping.signal);
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
