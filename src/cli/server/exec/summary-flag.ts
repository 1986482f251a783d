/** The value of --summary without a file. */
export const DEFAULT_SUMMARY = '-';

/** Returns the file that a summary is written to; undefined if it is printed. A file of its own is overwritten. */
export function summaryFile(value: string, env: NodeJS.ProcessEnv): { file: string; isShared: boolean } | undefined {
  if (value !== DEFAULT_SUMMARY) return { file: value, isShared: false };
  const file = env.GITHUB_STEP_SUMMARY;
  return file ? { file, isShared: true } : undefined;
}
