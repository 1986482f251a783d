import { maskSecrets } from '../../contract/vocabulary/secrets.js';
import { shortened } from '../../contract/vocabulary/text.js';

/** Makes what clients send readable and free of secrets. */

/** Bytes of a command that a session keeps. */
const COMMAND_BYTES = 512;
/** Characters of a line that are shown. */
const LINE_CHARACTERS = 1_024;
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
  /** The line without credentials. It may contain control characters and API keys. */
  text: string;
  /** The mechanism of AUTH; empty for one that is not known. */
  mechanism?: string;
}

/**
 * Reads a line of a client. Masks the credentials of AUTH. `isCredentials` is true for a line that continues AUTH;
 * after AUTH was seen, also unknown commands are masked: a client may send credentials although AUTH was refused.
 */
export function readCommand(bytes: Buffer, isCredentials: boolean, hasAuth: boolean): Command {
  if (isCredentials) return { verb: 'AUTH', text: MASK };
  const line = bytes.toString('utf8', 0, COMMAND_BYTES);
  const text = bytes.length > COMMAND_BYTES ? `${line}…` : line;
  const word = (/^\s*(\S+)/.exec(line)?.[1] ?? '').toUpperCase();
  if (word.startsWith('AUTH')) return readAuth(line);
  if (COMMANDS.has(word)) return { verb: word, text };
  return { verb: '', text: hasAuth ? MASK : text };
}

/** The command, what follows it, and a word: the mechanism, if the client makes no mistake. */
const AUTH = /^(\s*AUTH\W*)(\S*)/i;
const MECHANISM =
  /^(?:PLAIN|LOGIN|CRAM-MD5|DIGEST-MD5|XOAUTH2?|OAUTHBEARER|NTLM|GSSAPI|EXTERNAL|ANONYMOUS|SCRAM-SHA-\d{1,3}(?:-PLUS)?)$/i;

/** Reads a line that begins with AUTH. Shows only the command and a known mechanism. */
function readAuth(line: string): Command {
  const [known = '', command = '', word = ''] = AUTH.exec(line) ?? [];
  const mechanism = MECHANISM.test(word) ? word : '';
  const rest = line.slice(known.length).trim() === '' ? '' : ` ${MASK}`;
  return { verb: 'AUTH', text: `${command}${mechanism || (word && MASK)}${rest}`.trim(), mechanism };
}

/** Returns the path of MAIL or RCPT: the text between the angle brackets, or what is in their place. */
export function pathOf(command: string): string {
  const path = command.slice(command.indexOf(':') + 1).trim();
  const end = path.indexOf('>');
  return shortened(path.startsWith('<') && end > 0 ? path.slice(1, end) : (path.split(' ')[0] ?? ''));
}

/** Returns a line to show: without secrets, shortened, with control characters as `\x00`. */
export function shownLine(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it replaces
  return maskSecrets(shortened(line, LINE_CHARACTERS)).replace(/[\0-\x1f\x7f-\x9f]/g, (character) => {
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
}

/** Returns the beginning of a message as text, without secrets. */
export function readableBytes(bytes: Uint8Array): string {
  return maskSecrets(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
}
