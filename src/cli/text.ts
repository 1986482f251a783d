/** Text for a terminal. */

// Control characters, and those that turn the direction of writing: text of mails and servers may hold them to deceive.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text of several lines, safe to print. */
export function safeText(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(UNSAFE, '');
}

/** Text for one line, safe to print. */
export function oneLine(text: string): string {
  return safeText(text).replace(/[\n\t]+/g, ' ');
}

/** As much of what was given as a message has room for. */
const QUOTED_CHARACTERS = 80;

export function shortened(text: string): string {
  return text.length > QUOTED_CHARACTERS ? `${text.slice(0, QUOTED_CHARACTERS)}…` : text;
}

/** What was given, in quotation marks, shortened. */
export function quoted(text: string): string {
  return JSON.stringify(shortened(text));
}

/** JSON, safe to print: what would reach a terminal as a control character is escaped, and means the same. */
export function safeJson(json: string): string {
  return json.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
