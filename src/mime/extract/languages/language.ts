/**
 * Lists words that mark codes and links, in one language. The expressions are searched for in folded text: lower case,
 * without accents. They need not be exact: a number also has to look like a code.
 */
export interface Language {
  /** Names of one-time codes. */
  code: RegExp;
  /** Names that mean a one-time code only in a message about signing in or confirming something. */
  weak: RegExp;
  /** Names of other numbers and codes. */
  label: RegExp;
  /** Words that name another number if they are directly in front of it. */
  noun: RegExp;
  /** Requests to enter or use something. */
  enter: RegExp;
  /** Nouns that can stand for a code, such as digits, characters, a key or a password. */
  sign: RegExp;
  /** Words that can be directly in front of a code and do not say which number it is. */
  lead: RegExp;
  /** Reasons to enter a code. */
  purpose: RegExp;
  /** Words of messages about bookings, in which a confirmation code is the booking's number. */
  booking: RegExp;
  verify: RegExp;
  reset: RegExp;
  /** Words that ask to reset a password if they are next to one of `password`. */
  change: RegExp;
  password: RegExp;
  magic: RegExp;
  invite: RegExp;
  unsubscribe: RegExp;
}
