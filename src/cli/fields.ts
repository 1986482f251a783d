import { oneLine } from './text.js';

/** A record, one field a line; fields without a value are left out. */
export function fieldLines(fields: Record<string, string | number | boolean | null | undefined>): string {
  const shown = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== '');
  const width = Math.max(...shown.map(([name]) => name.length)) + 2;
  return shown.map(([name, value]) => `${name.padEnd(width)}${oneLine(String(value))}\n`).join('');
}
