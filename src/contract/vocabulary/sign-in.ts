/** Headers in which a proxy names the person that it has signed in: those of oauth2-proxy, which others use as well. */
export const signInHeaders = [
  'X-Forwarded-User',
  'X-Forwarded-Email',
  'X-Forwarded-Preferred-Username',
  'X-Auth-Request-User',
  'X-Auth-Request-Email',
  'X-Auth-Request-Preferred-Username',
] as const;
export type SignInHeader = (typeof signInHeaders)[number];

/** A name or an address of a person: printable ASCII, without spaces at the ends. */
export const PERSON = /^[\x21-\x7e](?:[\x20-\x7e]{0,252}[\x21-\x7e])?$/;
export const PERSON_FORM = '1 to 254 printable ASCII characters without spaces at the ends';

/** The action of a person whom a proxy has signed in, in the audit log. The others are names of operations. */
export const SIGN_IN = 'sign-in';
