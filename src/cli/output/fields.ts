import { colorOf, type Printable, paint } from './color.js';
import { oneLine } from './text.js';

/** Formats a record with one field per line. Fields without a value are omitted. */
export function fieldLines(fields: Record<string, string | number | boolean | null | undefined>): Printable {
  const shown = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== '');
  const width = Math.max(...shown.map(([name]) => name.length)) + 2;
  return shown.map(([name, value]) => {
    const text = oneLine(String(value));
    return [name.padEnd(width), name === 'status' ? paint(text, colorOf(text)) : text, '\n'];
  });
}
