import { Errors, Flags } from '@oclif/core';
import { ControlCommand } from '../../src/cli/command/control-command.js';
import { writeMessage } from '../../src/cli/emails/message-views.js';
import { receivedInWords, selectionFlags } from '../../src/cli/emails/query-flags.js';
import {
  checkExtractFlags,
  EXTRACTION_FORM,
  type ExtractFlags,
  type Extraction,
  extractAttachment,
  extractText,
  readExtraction,
  writeOutput,
} from '../../src/cli/emails/wait/extract.js';
import { absenceOf, type WaitFailure, waitFailure } from '../../src/cli/emails/wait/failure.js';
import { readTimeout, waitRequest } from '../../src/cli/emails/wait/request.js';
import { AssertionFailedError, exitCodes } from '../../src/cli/errors/exit-codes.js';
import { describeCapturedEmail } from '../../src/cli/output/formatters/email.js';
import { systemNow } from '../../src/cli/output/local-time.js';
import { oneLine, quoted } from '../../src/cli/output/text.js';
import type { Client } from '../../src/client/client.js';
import { waitForEmails } from '../../src/client/wait-for-emails.js';
import type { CapturedEmail } from '../../src/contract/control/emails/captured-email.js';
import { WAIT_TIMEOUT_MS } from '../../src/contract/vocabulary/limits.js';
import { COUNT_MAX } from '../../src/contract/vocabulary/ranges.js';

export default class EmailsWait extends ControlCommand {
  static override summary = 'Wait for an email';

  static override description =
    'Considers emails since --since, then new ones and changes of their status, and prints the newest that ' +
    'matches; with --count, all that match. Exits with 3 after --timeout, and lists the emails that arrived, ' +
    'with the conditions that each does not meet. With --extract, prints one part of the email only.';

  static override exitCodes = {
    3: 'The time-out passed, or the email does not have the part to extract. With --absent: an email matches.',
    5: 'No local server is running, or it stopped during the wait.',
  };

  static override examples = [
    { description: 'Wait for an email to one address', command: '<%= config.bin %> emails wait --to ada@example.test' },
    {
      description: 'Print the link of an email whose subject matches a regular expression',
      command: '<%= config.bin %> emails wait --to ada@example.test --subject /order/i --extract link',
    },
    {
      description: 'Wait for two or more emails since the server started',
      command: '<%= config.bin %> emails wait --from shop@example.test --count 2.. --since start --json',
    },
    {
      description: 'Check that no email arrives',
      command: '<%= config.bin %> emails wait --to nobody@example.test --absent --timeout 1s',
    },
  ];

  static override flags = {
    ...selectionFlags,
    timeout: Flags.custom<number>({
      description: 'Time to wait, at most 1h; the time limit of the request follows from it.',
      helpValue: 'DURATION',
      default: WAIT_TIMEOUT_MS,
      defaultHelp: async () => '10s',
      parse: async (text) => readTimeout(text),
    })(),
    extract: Flags.custom<Extraction>({
      description:
        'Print only the first link (those to verify, reset, sign in or accept an invitation first, and to unsubscribe ' +
        'last), code, attachment or header, or only the text or HTML.',
      helpValue: 'link|code|attachment|header:NAME|text|html',
      exclusive: ['count', 'absent'],
      parse: async (text) => extraction(text),
    })(),
    'link-matching': Flags.string({
      description: 'Part of the link to extract, glob, or /REGEX/.',
      helpValue: 'PATTERN',
    }),
    output: Flags.string({ description: 'File to save the attachment to.', helpValue: 'FILE' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(EmailsWait);
    await checkExtractFlags(flags);
    const request = await waitRequest(flags, process.env);
    const { timeout: _, ...target } = flags;
    const wait = async (client: Client) => {
      const result = await waitForEmails(client, request);
      const [newest] = result.emails;
      if (!result.matched || (!flags.absent && !newest)) return this.#reportFailure(waitFailure(request, result));
      if (flags.absent) {
        this.info(absenceOf(request));
        return this.print({ emails: [] }, () => '');
      }
      if (flags.count) {
        const { emails, total } = result;
        if (total > emails.length) this.info(`More than ${COUNT_MAX} emails match. Prints the newest ${COUNT_MAX}.`);
        return this.print({ emails }, () =>
          emails.map((email, index) => [index > 0 ? '\n' : '', describeCapturedEmail(email)]),
        );
      }
      if (!newest) return;
      this.info(receivedInWords(newest, systemNow()));
      if (!flags.extract) return this.print(newest, () => describeCapturedEmail(newest));
      await this.#printPart(client, newest, flags.extract, flags);
    };
    await this.withClient(target, wait, { running: true });
  }

  /** Reports a failure, then the emails that arrived. With --json, these are the details of the error. */
  #reportFailure({ message, hint, lines, details }: WaitFailure): void {
    this.report(new AssertionFailedError(message, this.globalFlags.json ? details : [], hint));
    for (const line of lines) this.info(oneLine(line));
    process.exitCode = exitCodes.assertionFailed;
  }

  async #printPart(client: Client, email: CapturedEmail, extraction: Extraction, flags: ExtractFlags): Promise<void> {
    if (extraction.part !== 'attachment') {
      const { part } = extraction;
      const text = await extractText(email, extraction, flags['link-matching']);
      const isWhole = part === 'text' || part === 'html';
      return this.printContent({ [part]: text }, isWhole ? text : `${oneLine(text)}\n`);
    }
    const bytes = await extractAttachment(client, email);
    if (flags.output === undefined) return writeMessage(bytes);
    writeOutput(flags.output, bytes);
    this.print({ file: flags.output }, () => '');
  }
}

function extraction(text: string): Extraction {
  const read = readExtraction(text);
  if (read) return read;
  throw new Errors.CLIError(`must be ${EXTRACTION_FORM}, not ${quoted(text)}.`, { exit: exitCodes.usage });
}
