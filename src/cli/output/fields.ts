import { colorOf, type Printable, paint } from './color.js';
import { oneLine, safeText } from './text.js';

/** Formats a record with one field per line. Fields without a value are omitted. */
export function fieldLines(fields: Record<string, string | number | boolean | null | undefined>): Printable {
  const shown = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== '');
  const width = Math.max(...shown.map(([name]) => name.length)) + 2;
  return shown.map(([name, value]) => {
    const text = oneLine(String(value));
    return [name.padEnd(width), name === 'status' ? paint(text, colorOf(text)) : text, '\n'];
  });
}

/** Returns content for stdout: unchanged for a file or a program, without control characters for a terminal. */
export function safeContent({ isTTY }: { isTTY?: boolean }, text: string): string {
  return isTTY ? safeText(text).replace(/\n?$/, '\n') : text;
}

/** Bytes that browsers search for a charset (HTML standard, section 13.2.3.2). */
const SEARCHED = 1_024;
const DECLARED = /(<meta\b[^>]{0,200}?\bcharset\s{0,20}=\s{0,20}["']?)([\w.:-]{1,40})/gi;

/** Returns HTML whose meta elements declare UTF-8, to be written as UTF-8: mail declares the charset that it came in. */
export function declaredAsUtf8(html: string): string {
  const start = html.slice(0, SEARCHED);
  const declared = start.replace(DECLARED, (whole, before: string, charset: string) =>
    /^utf-?8$/i.test(charset) ? whole : `${before}utf-8`,
  );
  return declared + html.slice(SEARCHED);
}
