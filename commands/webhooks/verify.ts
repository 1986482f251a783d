import { Flags } from '@oclif/core';
import { BaseCommand } from '../../src/cli/base-command.js';
import { exitCodes, UsageError } from '../../src/cli/exit-codes.js';
import { readBytes } from '../../src/cli/input.js';
import { checkSignature } from '../../src/cli/signature-check.js';

export default class WebhooksVerify extends BaseCommand {
  static override summary = 'Say whether a webhook’s signature holds, and if not, why';

  static override description =
    `Reads the request body from stdin, byte for byte. The secret may stand in SVC_WEBHOOK_SECRET. Exit code 0 when the
signature holds, 3 when it does not.`;

  static override exitCodes = { 3: 'The signature does not hold.' };

  static override examples = ['<%= config.bin %> webhooks verify --secret whsec_1 --signature 5f0c… < body.json'];

  static override flags = {
    secret: Flags.string({ description: 'The webhook’s secret.', env: 'SVC_WEBHOOK_SECRET', noCacheDefault: true }),
    signature: Flags.string({ description: 'Value of the header X-Service-Signature.', required: true }),
    body: Flags.string({ description: 'File that holds the body; - for stdin.', default: '-', helpValue: 'FILE' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(WebhooksVerify);
    if (!flags.secret) throw new UsageError('No secret.', 'Give --secret, or set SVC_WEBHOOK_SECRET.');
    const verdict = checkSignature(await readBytes('--body', flags.body), flags.signature, flags.secret);
    this.print(verdict, () => (verdict.valid ? 'valid\n' : `not valid: ${verdict.cause}\n`));
    if (verdict.valid) return;
    this.say(verdict.advice);
    process.exitCode = exitCodes.notHeld;
  }
}
