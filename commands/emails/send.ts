import { Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/command/client-command.js';
import { nextCommand } from '../../src/cli/command/next-command.js';
import { inspectIfPossible } from '../../src/cli/emails/parse-state.js';
import { readDraft, sendFlags, withSample } from '../../src/cli/emails/send-flags.js';
import { UsageError } from '../../src/cli/errors/exit-codes.js';
import type { TargetFlags } from '../../src/cli/flags/target.js';
import { timeAfter } from '../../src/cli/flags/values/value-types.js';
import { suppressionLines } from '../../src/cli/output/formatters/suppression.js';
import { localTime } from '../../src/cli/output/local-time.js';
import { oneLine } from '../../src/cli/output/text.js';
import { templateId } from '../../src/cli/templates/find.js';
import type { Client } from '../../src/client/client.js';
import { UnreachableError } from '../../src/client/failures.js';
import type { SendEmailRequest } from '../../src/contract/service/emails.js';
import { plural } from '../../src/contract/vocabulary/text.js';

export default class EmailsSend extends ClientCommand {
  static override summary = 'Send an email';

  static override description =
    'A local server needs only --to: sample values replace everything else you leave out. A request body passed with ' +
    '--data is sent as is.';

  static override examples = [
    { description: 'Send a sample email', command: '<%= config.bin %> emails send --to delivered@simulator.test' },
    {
      description: 'Send your own HTML with an attachment',
      command:
        '<%= config.bin %> emails send --to ada@example.test --from "Shop <shop@example.test>" --subject "Your order" --html "<p>Thanks</p>" --attach package.json',
    },
    {
      description: 'Send a template in two hours, with sample data and one override',
      command:
        '<%= config.bin %> emails send --to ada@example.test --template welcome --vars @templates/welcome/sample.json --var name=Ada --schedule 2h',
    },
    {
      description: 'Print the request read from a pipe without sending it',
      command:
        'echo \'{"to":"ada@example.test","from":"shop@example.test","subject":"Hi","html":"<p>Hi</p>"}\' | <%= config.bin %> emails send --data - --no-track-opens --dry-run',
    },
  ];

  static override flags = {
    ...sendFlags,
    retry: Flags.boolean({
      description: 'Also retry after a time-out, a lost connection or 5xx; the email may then be sent twice.',
    }),
    'dry-run': Flags.boolean({ description: 'Print the request as JSON, without the API key, and do not send it.' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(EmailsSend);
    const draft = await readDraft(flags);
    await this.withClient(flags, async (client, { kind, now }) => {
      if (flags.schedule !== undefined) draft.scheduled_at = timeAfter(flags.schedule, now());
      if (flags.template !== undefined) draft.template_id = await templateId(client, flags.template);
      const body = (kind === 'remote' || flags.data !== undefined ? draft : withSample(draft)) as SendEmailRequest;
      if (flags.data === undefined) refuseGaps(body);
      if (flags['dry-run']) {
        const request = client.request('emails.send', { body });
        this.print(request, () => `${JSON.stringify(request, null, 2)}\n`);
        return;
      }
      const email = await client.call('emails.send', { body });
      const at = email.scheduled_at ? `  ${localTime(email.scheduled_at)}` : '';
      this.print(
        email,
        () => `${[email.id, email.status + at || 'sent', oneLine(email.to)].filter(Boolean).join('  ')}\n`,
      );
      if (kind !== 'remote') await this.#warnOfDrops(client, email.id, flags);
      const see = email.id ? `emails get ${email.id}` : 'emails list';
      this.info(`To see it, run: ${nextCommand(see, flags)}`);
    });
  }

  /** Warns that nothing is sent to a suppressed recipient. The response does not show it. */
  async #warnOfDrops(client: Client, id: string, flags: TargetFlags): Promise<void> {
    const inspection = await inspectIfPossible(client, id).catch((error) => {
      // The email was sent. With an exit code for a failure, a script would send it again.
      if (error instanceof UnreachableError) return undefined;
      throw error;
    });
    const { recipients = [] } = inspection ?? {};
    const dropped = recipients.filter(({ status }) => status === 'dropped');
    const lines = suppressionLines(dropped, (line) => nextCommand(line, flags));
    if (lines.length > 0)
      this.printWarning(`The email was dropped for ${plural(dropped.length, 'recipient')}. ${lines.join(' ')}`);
  }
}

function refuseGaps(body: Partial<SendEmailRequest>): void {
  const needed = body.template_id === undefined ? (['from', 'subject', 'html'] as const) : (['from'] as const);
  const missing = needed.filter((name) => body[name] === undefined).map((name) => `--${name}`);
  if (missing.length === 0) return;
  throw new UsageError(
    `A remote service needs ${new Intl.ListFormat('en').format(missing)}.`,
    'Run "svc emails send --help".',
  );
}
