/** Maps keys to the bytes that a terminal sends for them. */

const SEQUENCES: Record<string, string> = {
  Enter: '\r',
  Tab: '\t',
  Escape: '\u001b',
  BSpace: '\u007f',
  NPage: '\u001b[6~',
};

/** Keys whose bytes depend on the cursor key mode that the program has selected. */
const CURSOR_KEYS: Record<string, string> = { Up: 'A', Down: 'B', Home: 'H', End: 'F' };

/** Returns the bytes of a key: one of the names above, `C-x` for a control character, or the text itself. */
export function bytesOf(key: string, applicationCursorKeys: boolean): string {
  const cursor = CURSOR_KEYS[key];
  if (cursor) return `\u001b${applicationCursorKeys ? 'O' : '['}${cursor}`;
  const [, control] = /^C-(.)$/.exec(key) ?? [];
  if (control) return String.fromCharCode(control.toUpperCase().charCodeAt(0) - 64);
  return SEQUENCES[key] ?? key;
}
