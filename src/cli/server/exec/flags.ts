import { Flags } from '@oclif/core';

/** Declares the flags of what svc dev exec does before and after the command. */
export const execFlags = {
  artifacts: Flags.string({
    description: 'Directory to write emails, events, deliveries and requests to if COMMAND fails.',
    helpValue: 'DIR',
  }),
  'artifacts-always': Flags.boolean({
    description: 'Write the artifacts also if COMMAND succeeds.',
    dependsOn: ['artifacts'],
  }),
  summary: Flags.string({
    description: 'Markdown file for a summary (default: $GITHUB_STEP_SUMMARY, or stderr if it is not set).',
    helpValue: '[FILE]',
  }),
};

/** Declares the flag for a server's first contents. */
export const seedFlag = {
  seed: Flags.string({
    description: 'Directory with templates/, mail/*.eml and seed.json, for a server without contents.',
    helpValue: 'DIR',
  }),
};

/** Completes a `--summary` without a value, because oclif's flags cannot have an optional one. */
export function withSummaryDefault(argv: readonly string[]): string[] {
  const end = argv.indexOf('--');
  return argv.map((word, index) =>
    word === '--summary' && index < end && (argv[index + 1] ?? '-').startsWith('-')
      ? `--summary=${DEFAULT_SUMMARY}`
      : word,
  );
}

/** The value of --summary without a file. */
const DEFAULT_SUMMARY = '-';

/** Returns the file that a summary is written to; undefined if it is printed. A file of its own is overwritten. */
export function summaryFile(value: string, env: NodeJS.ProcessEnv): { file: string; isShared: boolean } | undefined {
  if (value !== DEFAULT_SUMMARY) return { file: value, isShared: false };
  const file = env.GITHUB_STEP_SUMMARY;
  return file ? { file, isShared: true } : undefined;
}
