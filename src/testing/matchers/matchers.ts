import { emailInWords } from '../../client/checks/check.js';
import type {
  Duration,
  EmailCriteria,
  Inbox,
  LinkCriteria,
  ReceivedEmail,
  TextPattern,
  WaitOptions,
} from '../api/emails.js';
import { checkNames } from '../mail/criteria.js';
import { checkPattern, describeLinkPattern, describeLinks, matchesPattern, matchingLinks } from '../mail/links.js';
import { WaitError } from '../mail/wait.js';
import type { MatcherResult } from './email-matchers.js';

/** The matchers that need nothing of a test runner: `expect.extend(matchers)`. */

/** What a test runner offers to a matcher. */
export interface MatcherState {
  readonly isNot?: boolean | undefined;
}

export interface Matchers {
  toHaveReceivedEmail(
    this: MatcherState,
    received: unknown,
    criteria?: EmailCriteria & WaitOptions,
    options?: WaitOptions,
    ...more: unknown[]
  ): Promise<MatcherResult>;
  toHaveLink(
    this: MatcherState,
    received: unknown,
    pattern?: TextPattern | LinkCriteria,
    ...more: unknown[]
  ): MatcherResult;
  toHaveCode(this: MatcherState, received: unknown, code?: string | RegExp, ...more: unknown[]): MatcherResult;
  toBeDelivered(
    this: MatcherState,
    received: unknown,
    options?: { timeout?: Duration | undefined },
    ...more: unknown[]
  ): Promise<MatcherResult>;
}

/** @throws TypeError for arguments that a matcher does not have. */
function refuseMore(matcher: string, more: readonly unknown[]): void {
  if (more.length > 0) throw new TypeError(`${matcher} has too many arguments.`);
}

/** The options of a wait, as the second argument of a matcher. */
const OPTIONS = { example: '{ timeout: 800 }', kind: 'an option of a wait', known: ['timeout', 'since'] };

export const matchers: Matchers = {
  async toHaveReceivedEmail(received, criteria = {}, options = {}, ...more) {
    checkInbox(received, 'toHaveReceivedEmail()');
    refuseMore('toHaveReceivedEmail()', more);
    checkNames(options, OPTIONS);
    const wanted = { ...criteria, ...options };
    try {
      if (this.isNot) await received.waitForNone(wanted);
      else await received.waitFor(wanted);
      return { pass: !this.isNot, message: () => '' };
    } catch (error) {
      if (!(error instanceof WaitError)) throw error;
      return { pass: this.isNot === true, message: () => error.message };
    }
  },

  toHaveLink(received, pattern, ...more) {
    checkEmail(received, 'toHaveLink()');
    refuseMore('toHaveLink()', more);
    const [found] = matchingLinks(received, pattern);
    const wanted = pattern === undefined ? 'a link' : `a link that matches ${describeLinkPattern(pattern)}`;
    return {
      pass: found !== undefined,
      message: () =>
        found
          ? `The email has ${wanted}, and should not: ${found.href}\n\nEmail: ${emailInWords(received)}`
          : [
              `The email does not have ${wanted}.`,
              ...describeLinks(received.links),
              '',
              `Email: ${emailInWords(received)}`,
            ].join('\n'),
    };
  },

  toHaveCode(received, code, ...more) {
    checkEmail(received, 'toHaveCode()');
    refuseMore('toHaveCode()', more);
    if (code !== undefined) checkPattern(code);
    const found = received.codes.find(
      ({ value }) => code === undefined || (typeof code === 'string' ? value === code : matchesPattern(value, code)),
    );
    const wanted = code === undefined ? 'a one-time code' : `the one-time code ${String(code)}`;
    const others = received.codes.map(({ value, context }) => `  ${value}  in ${JSON.stringify(context)}`);
    return {
      pass: found !== undefined,
      ...(typeof code === 'string' && { expected: code, actual: received.codes[0]?.value }),
      message: () =>
        found
          ? `The email has ${wanted}, and should not: ${found.value}\n\nEmail: ${emailInWords(received)}`
          : [
              `The email does not have ${wanted}.`,
              ...(others.length > 0 ? ['Its codes:', ...others] : ['It has no codes.']),
              '',
              `Email: ${emailInWords(received)}`,
            ].join('\n'),
    };
  },

  async toBeDelivered(received, options = {}, ...more) {
    checkEmail(received, 'toBeDelivered()');
    refuseMore('toBeDelivered()', more);
    checkNames(options, { ...OPTIONS, known: ['timeout'] });
    const { timeout } = options;
    let now = await received.reload();
    if (!this.isNot && isPending(now.status)) {
      now = await received.waitFor({ status: 'delivered', timeout }).catch((error: unknown) => {
        if (!(error instanceof WaitError)) throw error;
        return received.reload();
      });
    }
    const recipients = now.recipients.map(({ mailbox, status }) => `  ${mailbox}: ${status}`);
    return {
      pass: now.status === 'delivered',
      expected: 'delivered',
      actual: now.status,
      message: () =>
        [
          this.isNot ? 'The email is delivered, and should not be.' : `The email is not delivered: ${now.status}.`,
          'Its recipients:',
          ...recipients,
          '',
          `Email: ${emailInWords(now)}`,
        ].join('\n'),
    };
  },
};

/** Returns whether an email can still be delivered. */
function isPending(status: string): boolean {
  return status === 'sent' || status === 'scheduled';
}

/** Checks what a matcher was called with. */

/** @throws TypeError unless the value is an inbox. */
function checkInbox(value: unknown, matcher: string): asserts value is Inbox {
  if (isObject(value) && typeof value.waitFor === 'function' && typeof value.waitForNone === 'function') return;
  throw new TypeError(`${matcher} needs an inbox, such as svc.inbox('ada@example.test'), not ${nameOf(value)}.`);
}

/** @throws TypeError unless the value is an email of the kit. */
export function checkEmail(value: unknown, matcher: string): asserts value is ReceivedEmail {
  if (isObject(value) && Array.isArray(value.links) && typeof value.reload === 'function') return;
  const hint = value instanceof Promise ? ' Put await before the call that returns it.' : '';
  throw new TypeError(`${matcher} needs an email that an inbox returned, not ${nameOf(value)}.${hint}`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function nameOf(value: unknown): string {
  if (isObject(value)) return value instanceof Promise ? 'a promise' : 'another object';
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
