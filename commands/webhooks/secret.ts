import { ControlCommand } from '../../src/cli/command/control-command.js';

export default class WebhooksSecret extends ControlCommand {
  static override summary = 'Print the signing secret of "svc webhooks listen"';

  static override description = 'Each data directory has one secret, which does not change.';

  static override examples = ['export SVC_WEBHOOK_SECRET=$(<%= config.bin %> webhooks secret)'];

  async run(): Promise<void> {
    const { flags } = await this.parse(WebhooksSecret);
    await this.withClient(flags, async (client) => {
      const { webhook_secret } = await client.control('info', {});
      this.print({ webhook_secret }, () => `${webhook_secret}\n`);
    });
  }
}
