import { UsageError } from '../../errors/exit-codes.js';

/** Reads the users of the SMTP server. Messages do not repeat their passwords. */

/** Returns the name and password of NAME:PASSWORD. @throws UsageError */
export function readUser(where: string, text: string): [name: string, password: string] {
  const colon = text.indexOf(':');
  if (colon <= 0 || colon === text.length - 1) throw new UsageError(`${where} must be NAME:PASSWORD.`);
  const user: [string, string] = [text.slice(0, colon), text.slice(colon + 1)];
  // They are hard to see, and every login would fail.
  if (user.every((part) => part === part.trim())) return user;
  throw new UsageError(`${where} must not have spaces around the name or the password.`);
}

/** Returns the users of a file with one a line. Empty lines and comments, which begin with #, are skipped. @throws UsageError */
export function readUsers(flag: string, text: string): [name: string, password: string][] {
  return text.split('\n').flatMap((line, index) => {
    const entry = line.endsWith('\r') ? line.slice(0, -1) : line;
    const isSkipped = entry.trim() === '' || entry.trimStart().startsWith('#');
    return isSkipped ? [] : [readUser(`${flag}: line ${index + 1}`, entry)];
  });
}
