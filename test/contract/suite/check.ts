import type { Api } from './api.js';

/** One check, and the rows of the register that it covers. */
export interface Check {
  rows: string[];
  title: string;
  /** What the check requires; it is skipped, with the reason, where that is missing. */
  needs?: 'live-key' | 'receiver' | 'simulator';
  run(api: Api): Promise<void>;
}

export function check(
  rows: string | string[],
  title: string,
  run: Check['run'],
  needs?: NonNullable<Check['needs']>,
): Check {
  return { rows: [rows].flat(), title, run, ...(needs && { needs }) };
}
