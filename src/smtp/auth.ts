import { createHash, timingSafeEqual } from 'node:crypto';
import type { SMTPServerOptions as LibraryOptions, SMTPServerAuthentication } from 'smtp-server';
import { API_KEY_FORM } from '../contract/vocabulary/api-key-form.js';
import type { SmtpAccess } from './access.js';
import type { Notices } from './notices.js';
import type { SmtpUser } from './receive.js';
import { refusal } from './refusals.js';

/** Logs clients in: with an API key, as a configured user, or with anything if no users are configured. */

export interface AuthDeps {
  access: SmtpAccess;
  /** Returns the workspace of an API key; undefined if the key is invalid. */
  workspaceOfKey(value: string): Promise<string | null | undefined>;
  /** Returns whether a user name is the name of a workspace. */
  isWorkspace(name: string): Promise<boolean>;
  notices: Notices;
}

/** A log-in that is refused: the reply to the client, and the reason for the log. */
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

export function authHandler(deps: AuthDeps): Required<LibraryOptions>['onAuth'] {
  return (auth, session, callback) => {
    authenticate(auth, deps).then(
      (user) => callback(null, { user }),
      (error: Error) => {
        if (!(error instanceof LoginRefused)) return callback(error);
        const who = `with ${auth.method} as ${JSON.stringify(auth.username ?? '')}`;
        deps.notices.report(session.remoteAddress, `could not log in ${who}: ${error.reason}.`);
        callback(refusal(535, error.message));
      },
    );
  };
}

async function authenticate(auth: SMTPServerAuthentication, deps: AuthDeps): Promise<SmtpUser> {
  const { users } = deps.access;
  const name = auth.username ?? '';
  const expected = users.get(name);
  if (auth.method === 'CRAM-MD5') {
    if (expected !== undefined && auth.validatePassword(expected)) return userNamed(name, deps);
    if (expected !== undefined) throw new LoginRefused(WRONG, 'the password is wrong');
    const advice = 'CRAM-MD5 works for configured users only; use PLAIN or LOGIN with an API key';
    throw new LoginRefused(advice, 'no such user is configured, and CRAM-MD5 cannot check an API key');
  }
  const secret = (auth.method === 'XOAUTH2' ? auth.accessToken : auth.password) ?? '';
  if (expected !== undefined && isSame(secret, expected)) return userNamed(name, deps);
  if (API_KEY_FORM.test(secret)) {
    const workspace = await deps.workspaceOfKey(secret);
    if (workspace === undefined) {
      const reason = 'the API key is unknown or has been revoked';
      throw new LoginRefused(reason, reason);
    }
    return workspace === null ? userNamed(name, deps) : { workspace };
  }
  if (users.size === 0) return userNamed(name, deps);
  const isToken = auth.method === 'XOAUTH2' ? 'the token is not the user’s password' : 'the password is wrong';
  throw new LoginRefused(WRONG, expected === undefined ? 'no such user is configured' : isToken);
}

async function userNamed(name: string, { isWorkspace }: AuthDeps): Promise<SmtpUser> {
  return { workspace: (await isWorkspace(name)) ? name : null };
}

/** Compares in a time that does not depend on the texts. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(a, b);
}
