import type { CapturedEmail, EmailStatus, EventType } from '../../client/operations.js';
import type { ClientViewId } from '../../contract/vocabulary/client-views.js';

/** Defines what the kit offers for captured emails. */

/** Milliseconds, or a text such as `2s`, `500ms` or `1d12h`. */
export type Duration = number | string;

/** A text that must be part of the value, ignoring case; or a regular expression, which the server matches. */
export type TextPattern = string | RegExp;

/** Conditions of an email. All of them must match. */
export interface EmailCriteria {
  /** Sender: a whole address, or a part of the address with its name. */
  from?: TextPattern | undefined;
  /** Recipient in To, Cc or Bcc. */
  to?: TextPattern | undefined;
  cc?: TextPattern | undefined;
  bcc?: TextPattern | undefined;
  subject?: TextPattern | undefined;
  /** Plain text, and HTML as text. */
  text?: TextPattern | undefined;
  /** File name of an attachment. */
  attachment?: TextPattern | undefined;
  /** Whole tags. With several, the email has all of them. */
  tag?: string | readonly string[] | undefined;
  /** ID of the template. */
  template?: string | undefined;
  /** Values of header fields by name; `true` only requires the field. */
  headers?: Readonly<Record<string, TextPattern | true>> | undefined;
  status?: EmailStatus | undefined;
  event?: Extract<EventType, `email.${string}`> | undefined;
  origin?: 'rest' | 'smtp' | undefined;
  has?: EmailContent | readonly EmailContent[] | undefined;
  /** More conditions in svc’s query language, such as `-tag:internal larger:1MB`. */
  search?: string | undefined;
}

export type EmailContent = 'attachment' | 'html' | 'link' | 'code' | 'warning';

export interface WaitOptions {
  /** Time to wait, on the machine’s clock (default: 4 seconds, less than the limit of a test). */
  timeout?: Duration | undefined;
  /** Considers only emails after this one. */
  since?: CapturedEmail | undefined;
}

/** The emails of one address, or of all of them. */
export interface Inbox {
  /** The address; undefined for all addresses. */
  readonly address: string | undefined;
  /**
   * Returns the newest email that matches, and waits for it if necessary.
   * @throws WaitError at the time-out, with what arrived instead.
   */
  waitFor(criteria?: EmailCriteria & WaitOptions): Promise<ReceivedEmail>;
  /** Waits for this number of emails that match, and returns them, oldest first. @throws WaitError at the time-out. */
  waitForCount(count: number, criteria?: EmailCriteria & WaitOptions): Promise<ReceivedEmail[]>;
  /**
   * Checks that no email matches until the time-out (default: 500 milliseconds).
   * @throws WaitError with the email that matches.
   */
  waitForNone(criteria?: EmailCriteria & WaitOptions): Promise<void>;
  /** Returns the emails that match now, oldest first. @throws Error if more than 1,000 match. */
  all(criteria?: EmailCriteria): Promise<ReceivedEmail[]>;
  /** Deletes the emails that match, also those before the start of the test. Returns their number. */
  delete(criteria?: EmailCriteria): Promise<number>;
  /** Deletes all emails of this inbox, also those before the start of the test. Returns their number. */
  clear(): Promise<number>;
}

/** An inbox with an address. */
export interface AddressInbox extends Inbox {
  readonly address: string;
}

export type EmailLink = CapturedEmail['links'][number];

/** Conditions of a link. All of them must match. */
export interface LinkCriteria {
  href?: TextPattern | undefined;
  text?: TextPattern | undefined;
  kind?: EmailLink['kind'] | undefined;
}

export interface Attachment {
  filename: string;
  content_type: string;
  size: number;
  /** The content after decoding. */
  content: Uint8Array;
  /** Returns the content as UTF-8. */
  text(): string;
}

export interface ScreenshotOptions {
  /** Width in pixels (default: 600). */
  width?: number | undefined;
  /** Whether the email is shown to a user who prefers dark colors. */
  dark?: boolean | undefined;
  /** Mail client whose view to show, which is approximate. */
  client?: ScreenshotClient | undefined;
}

/** The mail clients whose view can be shown. */
export type ScreenshotClient = Exclude<ClientViewId, 'outlook.windows'>;

export interface ScreenshotComparisonOptions extends ScreenshotOptions {
  /** CSS selectors of elements to hide in both pictures. */
  mask?: readonly string[] | undefined;
  /** Percentage of pixels that may differ (default: 0). */
  threshold?: number | undefined;
  /** Whether the file is written if it does not exist or differs; `missing`: only if it does not exist. */
  update?: boolean | 'missing' | undefined;
}

export interface ScreenshotComparison {
  /** Whether the picture equals the file, or was written to it. */
  pass: boolean;
  /** The difference in words. */
  message: string;
  /** The path of a picture with the baseline, the email and their difference; undefined without a difference. */
  difference: string | undefined;
}

/** A captured email, with functions for what tests need of it. */
export interface ReceivedEmail extends CapturedEmail {
  /**
   * Returns the URL of the first link that matches, without svc’s tracking. A text or regular expression is searched in
   * its URL and its text. Without a pattern, a link to unsubscribe comes last.
   * @throws Error with the links of the email if none matches.
   */
  link(pattern?: TextPattern | LinkCriteria): string;
  /** Returns the most likely one-time code. @throws Error if the email has none. */
  code(): string;
  /** Downloads the attachment of this name, or the first one. @throws Error with the names of the attachments. */
  attachment(name?: TextPattern): Promise<Attachment>;
  /**
   * Takes a picture of the email as PNG, in an installed browser. Needs the package playwright-core.
   * @throws Error if no browser can be started, or it takes too long.
   */
  screenshot(options?: ScreenshotOptions): Promise<Uint8Array>;
  /**
   * Compares a picture of the email with a PNG file, in which codes, IDs and times do not count.
   * @throws Error as `screenshot` does, and if the file cannot be read or written.
   */
  matchScreenshot(file: string, options?: ScreenshotComparisonOptions): Promise<ScreenshotComparison>;
  /** Downloads the raw message, as the first recipient receives it. */
  raw(): Promise<string>;
  /**
   * Waits until this email has a status or an event, and returns it: `email.waitFor({ event: 'email.opened' })`.
   * @throws WaitError at the time-out.
   */
  waitFor(criteria: Pick<EmailCriteria, 'status' | 'event'> & Pick<WaitOptions, 'timeout'>): Promise<ReceivedEmail>;
  /** Returns the email as the server has it now, for example with another status. */
  reload(): Promise<ReceivedEmail>;
}
