import { BaseCommand } from '../src/cli/command/base-command.js';
import { dataDirFlag } from '../src/cli/flags/data-dir.js';
import type { MailServer } from '../src/cli/sendmail/deliver.js';
import { readSendmailOptions, type SendmailOptions, sysexitOf } from '../src/cli/sendmail/options.js';

export default class Sendmail extends BaseCommand {
  static override summary = 'Send a message as sendmail does';

  static override usage = 'sendmail [-t] [-i] [-f ADDRESS] [-F NAME] [flags] [RECIPIENT...]';

  static override description =
    'Reads a message from stdin and passes it to the SMTP port of the running server, or of SVC_SMTP_HOST and ' +
    'SVC_SMTP_PORT, for PHP’s sendmail_path, cron, git send-email and other programs that call sendmail. ' +
    'Recipients are arguments, and with -t also To, Cc and Bcc; -f or -r ADDRESS is the sender of the envelope ' +
    '(default: the address in Sender or From), -F NAME the name in a missing From, -i or -oi means that a line ' +
    'with a dot does not end the message, -bs passes SMTP on stdin and stdout through without TLS or a login, -v ' +
    'prints the server’s reply, -N, -R and -V request delivery status notifications. Other short flags of ' +
    'sendmail are accepted and ignored.';

  static override exitCodes = {
    0: 'The server has stored the message.',
    64: 'Invalid usage, no recipients, or an invalid sender (EX_USAGE).',
    67: 'A recipient is invalid, or the server refused it (EX_NOUSER).',
    69: 'The server refused the message (EX_UNAVAILABLE).',
    70: 'svc failed (EX_SOFTWARE).',
    75: 'The server is unreachable, or refused the message for now; try again (EX_TEMPFAIL).',
    77: 'The server refused the login (EX_NOPERM).',
    78: 'The data directory or a file cannot be used (EX_CONFIG).',
  };

  static override examples = [
    {
      description: 'Send a message with its recipients in the header',
      command: "printf 'To: ada@example.test\\nSubject: Hi\\n\\nHello\\n' | <%= config.bin %> sendmail -t -i",
    },
    {
      description: 'Send a message as cron does',
      command: "printf 'Subject: Cron\\n\\ndone\\n' | <%= config.bin %> sendmail -FCronDaemon -oi -odi root",
    },
  ];

  static override strict = false;

  static override flags = { ...dataDirFlag };

  async run(): Promise<void> {
    const options = readSendmailOptions(this.argv);
    if (options.mode === 'queue') {
      this.print({ queued: 0 }, () => 'Mail queue is empty\n');
      return;
    }
    if (options.mode === 'nothing') return;
    if (options.mode === 'session') {
      const { passSession } = await import('../src/cli/sendmail/session.js');
      return passSession(await this.#server(options));
    }
    const { prepare } = await import('../src/cli/sendmail/prepare.js');
    const { deliver, rejectedError } = await import('../src/cli/sendmail/deliver.js');
    const message = await prepare(options, process.stdin);
    const server = await this.#server(options);
    const { reply, rejected, skippedLogin } = await deliver(message, server);
    if (skippedLogin) {
      this.printWarning(
        `Sent without a login, because ${server.host} offers no TLS and others could read the password.`,
      );
    }
    if (options.verbose) this.info(reply);
    if (rejected.length > 0) throw rejectedError(rejected);
    const { mailFrom: mail_from, recipients } = message;
    this.print({ mail_from, rcpt_to: recipients, reply }, () => '');
  }

  async #server({ dataDir, trustDataDir }: SendmailOptions): Promise<MailServer> {
    const { mailServerOf, namedMailServer } = await import('../src/cli/sendmail/deliver.js');
    const named = dataDir === undefined ? namedMailServer(process.env) : undefined;
    return named ?? mailServerOf(this.takeDataDir({ 'data-dir': dataDir, 'trust-data-dir': trustDataDir }));
  }

  protected override async catch(error: Error): Promise<void> {
    await super.catch(error);
    process.exitCode = sysexitOf(error);
  }
}
