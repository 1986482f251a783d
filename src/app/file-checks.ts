import { ServiceClock } from '../clock/clock.js';
import type { EmailChecks } from '../contract/control/emails/check.js';
import { reportOf } from '../core/mail/checks/check-email.js';
import type { Finding } from '../core/mail/checks/definitions.js';
import { checkListUnsubscribe } from '../core/mail/checks/list-unsubscribe.js';
import {
  type CheckInput,
  ProcessorUnavailableError,
  type RewriteForFrame,
  type ShowAsClient,
  UnprocessableError,
} from '../core/ports.js';
import { HEADER_BYTES_MAX } from '../mime/limits.js';
import { createProcessing, type ProcessingOptions } from '../mime/processing.js';

/** Checks the content of files, without a store and a server. */

export type ContentReport = Omit<EmailChecks, 'id'>;

/** The result of the checks, or why the limits of one message ended them. */
type CheckedContent = { report: ContentReport; content: Pick<CheckInput, 'subject' | 'html'> } | { problem: string };
/** The same, or why a file is not a message. */
export type Checked = CheckedContent | { unreadable: string };

export interface FileChecks {
  /** Checks a message and its header fields. The state of the sending domain is unknown, so it is not checked. */
  checkMessage(bytes: Uint8Array): Promise<Checked>;
  /** Checks content. `findings` are results of the caller, which the report includes. */
  checkContent(content: Pick<CheckInput, 'subject' | 'html' | 'text'>, findings?: Finding[]): Promise<CheckedContent>;
  rewriteForFrame: RewriteForFrame;
  showAsClient: ShowAsClient;
  close(): Promise<void>;
}

export function createFileChecks(options: Omit<ProcessingOptions, 'clock'> = {}): FileChecks {
  const processing = createProcessing({ clock: new ServiceClock(), ...options });
  const check = async (input: CheckInput, added: Finding[]): Promise<CheckedContent> => {
    const { findings, support } = await processing.checkContent(input);
    return { report: reportOf([...added, ...findings], support), content: input };
  };
  return {
    checkMessage: (bytes) =>
      orProblem<Checked>(async () => {
        const { parser } = processing;
        const parsed = parser.quickly(bytes) ?? (await parser.parse(bytes).catch(unreadable));
        if ('unreadable' in parsed) return parsed;
        const { subject, html, text } = parsed.content;
        const head = bytes.subarray(0, HEADER_BYTES_MAX);
        const { headers, links } = await processing.extractContent({ subject, html, text, head });
        const files = parsed.attachments.map(({ filename }) => filename);
        return check({ subject, html, text, headers, files }, [checkListUnsubscribe(headers, links)]);
      }),
    checkContent: (content, findings = []) => orProblem(() => check({ ...content, headers: [], files: [] }, findings)),
    rewriteForFrame: processing.rewriteForFrame,
    showAsClient: processing.showAsClient,
    close: () => processing.close(),
  };
}

/** Returns the IDs of the mail clients of reports, such as `gmail.ios`. */
export async function mailClientIds(): Promise<string[]> {
  const { clients } = await import('../mime/checks/support/html-support.js');
  return clients.map(([id]) => id);
}

/** Returns why a message cannot be parsed. @throws the error of a message that exceeds the limits. */
function unreadable(error: unknown): { unreadable: string } {
  if (isLimit(error)) throw error;
  return { unreadable: (error as Error).message };
}

async function orProblem<T>(check: () => Promise<T>): Promise<T | { problem: string }> {
  try {
    return await check();
  } catch (error) {
    if (!isLimit(error)) throw error;
    return { problem: error.message };
  }
}

function isLimit(error: unknown): error is Error {
  return error instanceof UnprocessableError || error instanceof ProcessorUnavailableError;
}
