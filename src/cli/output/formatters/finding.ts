import type { Finding } from '../../server/diagnostics.js';
import { oneLine } from '../text.js';

/** Renders a finding of `svc doctor`, with what to do about it on a line of its own. */
export function describeFinding({ check, ok, found, fix }: Finding): string {
  const line = `${ok ? 'ok     ' : 'PROBLEM'}  ${check.padEnd(14)}  ${oneLine(found)}\n`;
  return fix === null ? line : `${line}${' '.repeat(25)}${oneLine(fix)}\n`;
}
