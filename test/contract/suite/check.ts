import type { Api } from './api.js';

/** One thing that is looked at, and the rows of the register that it proves. */
export interface Check {
  rows: string[];
  title: string;
  /** What it cannot do without; skipped, with the reason, where that is not there. */
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
