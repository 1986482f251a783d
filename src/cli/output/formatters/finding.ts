import { oneLine } from '../text.js';

/** What a check of `svc doctor` found. */
export interface Finding {
  check: string;
  ok: boolean;
  found: string;
  /** How to resolve it; null when nothing is wrong. */
  fix: string | null;
}

/** Renders a finding of `svc doctor`, with what to do about it on a line of its own. */
export function describeFinding({ check, ok, found, fix }: Finding): string {
  const line = `${ok ? 'ok     ' : 'PROBLEM'}  ${check.padEnd(14)}  ${oneLine(found)}\n`;
  return fix === null ? line : `${line}${' '.repeat(25)}${oneLine(fix)}\n`;
}
