import { createHash, timingSafeEqual } from 'node:crypto';
import type { SMTPServerOptions as LibraryOptions, SMTPServerAuthentication, SMTPServerSession } from 'smtp-server';
import { API_KEY_FORM } from '../contract/vocabulary/access.js';
import { MINUTE_MS } from '../contract/vocabulary/limits.js';
import { maskSecrets } from '../contract/vocabulary/secrets.js';
import { shortened } from '../contract/vocabulary/text.js';
import { printableWarningText, type ServiceWarning, type WarningCode } from '../contract/vocabulary/warnings.js';
import { type LoginAttempts, TooManyAttemptsError } from '../core/account/login-attempts.js';
import type { Login } from '../core/mail/inbound/submission.js';
import type { ReceivedEnvelope } from '../core/model/received.js';
import type { ApiKeyRecord } from '../core/model/resources.js';
import type { ParsedMessage } from '../core/ports.js';
import type { SmtpAccess } from './access.js';

/** Logs clients in: with an API key, as a configured user, or with anything if no users are configured. */

/** Failed logins of one connection, after which it is closed. */
const FAILURES_MAX = 10;
const TOO_MANY_FAILURES = 'too many failed logins; connect again later';

/** An API key, as messages over SMTP use it. */
export type SmtpKey = Pick<ApiKeyRecord, 'id' | 'hash' | 'rateLimit' | 'workspace'>;

export interface AuthDeps {
  access: SmtpAccess;
  /** Returns an API key; undefined if it is invalid. */
  findKey(value: string): Promise<SmtpKey | undefined>;
  attempts: Pick<LoginAttempts, 'check'>;
  /** Returns whether a user name is the name of a workspace. */
  isWorkspace(name: string): Promise<boolean>;
  notices: Notices;
  onInternalError(error: unknown): void;
}

/** A login that is refused: the reply to the client, and the reason for the log. */
class LoginRefused extends Error {
  constructor(
    reply: string,
    readonly reason: string,
  ) {
    super(reply);
  }
}

const WRONG = 'the user name or password is wrong';

/** Returns the mechanisms to offer. CRAM-MD5 needs passwords, and the server has none but those of its users. */
export function authMethods({ login, users }: SmtpAccess): string[] {
  if (login === 'off') return [];
  return ['PLAIN', 'LOGIN', ...(users.size > 0 ? ['CRAM-MD5'] : []), 'XOAUTH2'];
}

/** Returns the refusal of an AUTH command by its mechanism; undefined for one that is offered. */
export function refusedMechanism(command: Buffer, access: SmtpAccess): string | undefined {
  const mechanism = command.toString().trim().split(/\s+/)[1]?.toUpperCase() ?? '';
  const offered = authMethods(access);
  if (offered.includes(mechanism)) return undefined;
  // Others are not repeated: a client may send its password in their place.
  const reason =
    mechanism === 'CRAM-MD5'
      ? 'CRAM-MD5 is offered only with users of --smtp-user, because it cannot check API keys'
      : 'this mechanism is not offered';
  return `${reason}; use one of ${offered.join(', ')}`;
}

export function authHandler(deps: AuthDeps): Required<LibraryOptions>['onAuth'] {
  const failures = new WeakMap<SMTPServerSession, number>();
  return (auth, session, callback) => {
    authenticate(auth, session.remoteAddress, deps).then(
      (user) => callback(null, { user }),
      (error: Error) => {
        const isOverLimit = error instanceof TooManyAttemptsError;
        if (!isOverLimit && !(error instanceof LoginRefused)) {
          deps.onInternalError(error);
          return callback(refusal(454, 'the login could not be checked; try again'));
        }
        // Some clients send the API key as the name.
        const who = `with ${auth.method} as ${JSON.stringify(maskSecrets(shortened(auth.username ?? '')))}`;
        deps.notices.report(
          session.remoteAddress,
          `could not log in ${who}: ${isOverLimit ? 'too many wrong passwords' : error.reason}.`,
        );
        const failed = (failures.get(session) ?? 0) + 1;
        failures.set(session, failed);
        if (failed >= FAILURES_MAX) return callback(refusal(421, TOO_MANY_FAILURES, '4.7.0'));
        if (!isOverLimit) return callback(refusal(535, error.message));
        callback(refusal(454, `too many wrong passwords; try again in ${error.retryAfter} s`));
      },
    );
  };
}

async function authenticate(auth: SMTPServerAuthentication, address: string, deps: AuthDeps): Promise<Login> {
  const { users, checked = false } = deps.access;
  const name = auth.username ?? '';
  const expected = users.get(name);
  /** Compares the password of the user, within the limit of attempts. Names without a user have none to guess. */
  const isRight = (compare: (expected: string) => boolean, password?: string) =>
    expected !== undefined &&
    deps.attempts.check({ account: `smtp ${name}`, address }, () => compare(expected), password);
  if (auth.method === 'CRAM-MD5') {
    if (isRight((password) => auth.validatePassword(password))) return userNamed(name, deps);
    if (expected !== undefined) throw new LoginRefused(WRONG, 'the password is wrong');
    const advice = 'CRAM-MD5 works for configured users only; use PLAIN or LOGIN with an API key';
    throw new LoginRefused(advice, 'no such user is configured, and CRAM-MD5 cannot check an API key');
  }
  const secret = (auth.method === 'XOAUTH2' ? auth.accessToken : auth.password) ?? '';
  // First, because no number of wrong passwords locks out a valid key.
  const isKey = API_KEY_FORM.test(secret);
  const key = isKey ? await deps.findKey(secret) : undefined;
  if (key) return userNamed(name, deps, key);
  if (isRight((password) => isSame(secret, password), secret)) return userNamed(name, deps);
  if (isKey) {
    const reason = 'the API key is unknown, revoked or expired, or cannot send';
    throw new LoginRefused(reason, reason);
  }
  if (users.size === 0 && !checked) return userNamed(name, deps);
  if (users.size === 0) throw new LoginRefused('the password must be an API key', 'the password is no API key');
  const isToken = auth.method === 'XOAUTH2' ? 'the token is not the user’s password' : 'the password is wrong';
  throw new LoginRefused(WRONG, expected === undefined ? 'no such user is configured' : isToken);
}

/** Returns the login of a name. Where logins are checked, the name next to an API key selects no workspace. */
async function userNamed(name: string, deps: AuthDeps, key: SmtpKey | null = null): Promise<Login> {
  const { isWorkspace, access } = deps;
  if (key && (key.workspace !== null || access.checked)) return { workspace: key.workspace, key };
  return { workspace: (await isWorkspace(name)) ? name : null, key };
}

const NO_LOGIN: Login = { workspace: null, key: null };

/** Returns the login of a session, or one without key and workspace. */
export function loginOf({ user }: Pick<SMTPServerSession, 'user'>): Login {
  return (user as Login | false | undefined) || NO_LOGIN;
}

/** Compares in a time that does not depend on the texts. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(a, b);
}

/** Refusals of commands and messages, also of what only a strict server refuses. Gap 40. */

/** Returns findings about the parts of a message. Each is a reason to refuse it. */
export interface StrictChecks {
  /** @param announced what the command itself announces */
  sender(address: string, announced: readonly ServiceWarning[]): Promise<ServiceWarning[]>;
  recipient(address: string, announced: readonly ServiceWarning[]): ServiceWarning[];
  message(envelope: ReceivedEnvelope, parsed: ParsedMessage): Promise<ServiceWarning[]>;
}

/** Response codes other than 550, with enhanced ones where those of `send` do not fit. */
const RESPONSES: Partial<Record<WarningCode, readonly [code: number, enhanced?: string]>> = {
  single_label_domain: [553],
  unusual_domain: [553],
  unknown_smtp_parameter: [555, '5.5.4'],
  missing_smtputf8: [553, '5.6.7'],
  invalid_header: [554],
  ignored_outcome: [554],
  unknown_header: [554],
  unused_template: [554],
  unused_variables: [554],
  // Both are temporary, and caused by a policy.
  message_rate: [450, '4.7.1'],
  monthly_quota: [452, '4.7.1'],
};

/** The address of a sender is invalid. The default for 553 is 5.1.3, the address of a recipient. */
const BAD_SENDER = '5.1.7';

/** Returns the refusal of a part with findings. Its text is the first one's, with its code. */
export function strictRefusal([first, ...others]: readonly ServiceWarning[]): Error | null {
  if (!first) return null;
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  const [code, enhanced] = RESPONSES[first.code] ?? [550];
  const text = `${printableWarningText(first)}${more}`;
  return code === 553 && !enhanced && first.path === 'from' ? senderRefusal(text) : refusal(code, text, enhanced);
}

/** Makes the refusal of a sender whose address is invalid. */
export function senderRefusal(message: string): Error {
  return refusal(553, message, BAD_SENDER);
}

/** Makes an error that smtp-server replies with. `enhanced` is its enhanced status code, by default that of `send`. */
export function refusal(responseCode: number, message: string, enhanced?: string): Error {
  return Object.assign(new Error(enhanced ? `${enhanced} ${message}` : message), { responseCode });
}

/** Notices a minute. A client that retries all the time must not fill the log. */
const NOTICES_MAX = 20;

/** Reports what people should know about clients that were refused, up to a number of lines a minute. */
export class Notices {
  #count = 0;

  constructor(
    private readonly print: (text: string) => void,
    private readonly after: (milliseconds: number, callback: () => void) => () => void,
  ) {}

  /** Reports a refusal of the client at an address. The text continues a sentence, and has no secrets. */
  report(address: string, text: string): void {
    if (this.#count === 0) {
      this.after(MINUTE_MS, () => {
        this.#count = 0;
      });
    }
    this.#count += 1;
    if (this.#count > NOTICES_MAX) return;
    this.print(`SMTP: a client at ${address || 'a Unix socket'} ${text}`);
    if (this.#count === NOTICES_MAX) this.print('SMTP: more such lines are left out for a minute.');
  }
}
