import { colorOf, type Printable, paint } from './color.js';
import { oneLine } from './text.js';

/** A record, one field a line; fields without a value are left out. */
export function fieldLines(fields: Record<string, string | number | boolean | null | undefined>): Printable {
  const shown = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== '');
  const width = Math.max(...shown.map(([name]) => name.length)) + 2;
  return shown.map(([name, value]) => {
    const text = oneLine(String(value));
    return [name.padEnd(width), name === 'status' ? paint(text, colorOf(text)) : text, '\n'];
  });
}
