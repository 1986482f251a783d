/**
 * Rewrites regular expressions so that JavaScript, Python, PCRE, RE2 and Java read them alike. They differ in `\s`, `\d`
 * and `\w`, in names of Unicode properties, and in escapes other than `\xNN`. They still differ in `$`, which in Python,
 * PCRE and Java also matches before a last line feed.
 */

const SPACES = ' \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000';
const LINE_ENDS = '\u2028\u2029';
/** U+FEFF with unassigned neighbors: a source file of Go may not contain it. */
const BYTE_ORDER_MARK = '\ufefe-\uff00';
/** Format characters without those beyond U+FFFF, which an engine of 16-bit characters cannot have in a class. */
const FORMAT = `\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f${BYTE_ORDER_MARK}\ufff9-\ufffb`;

/** Contents of a class of characters. Characters beyond `\xff` are literal, because no escape of them is common. */
const CLASSES: Record<string, string> = {
  '\\p{Cc}': String.raw`\x00-\x1f\x7f-\x9f`,
  '\\p{Cf}': FORMAT,
  '\\p{Zs}': SPACES,
  '\\s': String.raw`\x09-\x0d${SPACES}${LINE_ENDS}${BYTE_ORDER_MARK}`,
  '\\d': '0-9',
  '\\w': 'A-Za-z0-9_',
};

/** A property, an escape, or a single character. */
const TOKEN = /\\p\{\w+\}|\\u[\da-f]{4}|\\.|./gs;

/** Returns the portable form of a regular expression. @throws TypeError where it has none. */
export function portablePattern(source: string): string {
  let inClass = false;
  return source.replace(TOKEN, (token) => {
    const content = CLASSES[token];
    if (content !== undefined) return inClass ? content : `[${content}]`;
    if (token === '\\ufeff') return BYTE_ORDER_MARK;
    if (token.startsWith('\\u')) return String.fromCharCode(Number.parseInt(token.slice(2), 16));
    if (token === '\\S' && !inClass) return `[^${CLASSES['\\s']}]`;
    if (/^\\[a-z]/i.test(token) && token !== '\\x') throw new TypeError(`no portable form of ${token} in ${source}`);
    // Java reads a bracket in a class as a class in a class.
    if (inClass && token === '[') return '\\[';
    if (token === '[') inClass = true;
    if (token === ']') inClass = false;
    return token;
  });
}
