import { Flags } from '@oclif/core';
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { exitCodes, UsageError } from '../../src/cli/errors/exit-codes.js';
import { readBytes } from '../../src/cli/process/files.js';
import { checkSignature } from '../../src/cli/webhooks/signature-check.js';

export default class WebhooksVerify extends BaseCommand {
  static override summary = 'Verify a webhook signature';

  static override description =
    'Checks the signature against the exact bytes of the request body, and explains why it is invalid. Exits with 3 if it ' +
    'is invalid. The secret comes from --secret or SVC_WEBHOOK_SECRET.';

  static override exitCodes = { 3: 'The signature is invalid.' };

  static override examples = ['<%= config.bin %> webhooks verify --secret whsec_1 --signature 5f0c… < body.json'];

  static override flags = {
    secret: Flags.string({
      description: 'Signing secret of the webhook.',
      env: 'SVC_WEBHOOK_SECRET',
      noCacheDefault: true,
    }),
    signature: Flags.string({ description: 'Value of the X-Service-Signature header.', required: true }),
    body: Flags.string({
      description: 'File that contains the request body, or - for stdin.',
      default: '-',
      helpValue: 'FILE',
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(WebhooksVerify);
    if (!flags.secret)
      throw new UsageError('A signing secret is required.', 'Pass --secret, or set SVC_WEBHOOK_SECRET.');
    const verdict = checkSignature(await readBytes('--body', flags.body), flags.signature, flags.secret);
    this.print(verdict, () => (verdict.valid ? 'valid\n' : `not valid: ${verdict.cause}\n`));
    if (verdict.valid) return;
    this.info(verdict.advice);
    process.exitCode = exitCodes.assertionFailed;
  }
}
