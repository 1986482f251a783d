import { maskSecrets } from '../../contract/vocabulary/helpers/mask-secrets.js';
import { shortened } from '../../contract/vocabulary/helpers/shorten.js';

/** Makes what clients send readable and free of secrets. */

/** Characters of a line that a session keeps. */
const LINE_CHARACTERS = 512;
/** The commands of SMTP and LMTP, with those of its extensions. */
const COMMANDS = new Set(
  'AUTH BDAT DATA EHLO ETRN EXPN HELO HELP LHLO MAIL NOOP QUIT RCPT RSET SAML SEND SOML STARTTLS TURN VRFY XCLIENT XFORWARD'.split(
    ' ',
  ),
);
/** What a transcript has in place of credentials. */
const MASK = '****';

export interface Command {
  /** The command in upper case; empty for a line that is not one. */
  verb: string;
  /** The line to keep. */
  shown: string;
}

/**
 * Reads a line of a client. Masks the credentials of AUTH. `isCredentials` is true for a line that continues AUTH;
 * after AUTH was seen, also unknown commands are masked: a client may send credentials although AUTH was refused.
 */
export function readCommand(line: string, isCredentials: boolean, hasAuth: boolean): Command {
  if (isCredentials) return { verb: 'AUTH', shown: MASK };
  const [first = '', second, ...more] = line.slice(0, LINE_CHARACTERS).trim().split(/\s+/);
  const word = first.toUpperCase();
  const verb = COMMANDS.has(word) ? word : '';
  if (verb === 'AUTH') {
    return { verb, shown: printable([first, second, more.length > 0 ? MASK : ''].filter(Boolean).join(' ')) };
  }
  if (verb === '' && hasAuth) return { verb, shown: MASK };
  return { verb, shown: printable(line) };
}

/** Returns the path of MAIL or RCPT: the text between the angle brackets, or what is in their place. */
export function pathOf(shown: string): string {
  const path = shown.slice(shown.indexOf(':') + 1).trim();
  const end = path.indexOf('>');
  return path.startsWith('<') && end > 0 ? path.slice(1, end) : (path.split(' ')[0] ?? '');
}

/** Returns a line with control characters as `\x00`, shortened. */
export function printable(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it replaces
  return shortened(line, LINE_CHARACTERS).replace(/[\0-\x1f\x7f-\x9f]/g, (character) => {
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
}

/** Returns the beginning of a message as text, without secrets. */
export function readableBytes(bytes: Uint8Array): string {
  return maskSecrets(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
}
