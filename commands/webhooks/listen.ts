import { Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/command/client-command.js';
import { STOP_SIGNALS } from '../../src/cli/errors/exit-codes.js';
import { runUntilStopped } from '../../src/cli/process/signals.js';
import { stdoutDrained } from '../../src/cli/process/write-stdout.js';
import { canShowView } from '../../src/cli/terminal/capabilities.js';
import { describeLine } from '../../src/cli/webhooks/attempt-output.js';
import { listenFlags, readListenFlags } from '../../src/cli/webhooks/listen/options.js';
import { type ListenTarget, openListenTarget } from '../../src/cli/webhooks/listen/target.js';

export default class WebhooksListen extends ClientCommand {
  static override summary = 'Forward events to a URL on this machine';

  static override description =
    'Signs and forwards events until you stop it: prints "ready" with the signing secret, then one line per ' +
    'attempt. If no local server is running, starts one until the command ends. For a remote service, pass ' +
    '--public-url: svc creates a webhook there that posts to this URL, verifies each signature, and deletes the ' +
    'webhook at the end.';

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
    ...listenFlags,
    input: Flags.boolean({
      description: 'Show a live view on a terminal; --no-input prints lines.',
      default: true,
      allowNo: true,
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(WebhooksListen);
    const options = readListenFlags(flags);
    await runUntilStopped(async (signal, stop) => {
      const target = await openListenTarget(flags, options, process.env, process.cwd());
      for (const warning of target.warnings) this.printWarning(warning);
      if (target.own) {
        const { base_url, smtp } = target.own.address;
        this.info(`No local server is running; started one at ${base_url}, SMTP on port ${smtp.port}.`);
      }
      try {
        if (!flags.json && flags.input && canShowView(process.env)) await this.#showView(target, signal, stop);
        else await this.#printLines(target, signal);
      } finally {
        await target.source.close();
      }
    }, STOP_SIGNALS).catch(async (error: unknown) => {
      throw await this.namingFlags(error);
    });
  }

  async #showView({ source, baseUrl }: ListenTarget, signal: AbortSignal, stop: () => void): Promise<void> {
    const { showListening } = await import('../../src/cli/webhooks/listen-view/listen-app.js');
    const interrupt = () => process.emit('SIGINT', 'SIGINT');
    await showListening(source, { baseUrl, signal, quit: stop, interrupt });
  }

  async #printLines({ source, baseUrl }: ListenTarget, signal: AbortSignal): Promise<void> {
    for await (const line of source.lines(signal)) {
      this.print(line, () => describeLine(line, baseUrl));
      if (!(await stdoutDrained(signal))) return;
    }
  }
}
