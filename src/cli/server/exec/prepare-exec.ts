import { CommandError, UsageError } from '../../errors/exit-codes.js';
import { checkOutputFile } from '../../process/files.js';
import { prepareReportFile } from '../report/report.js';
import type { Seed } from '../seed/read-seed.js';
import { summaryFile } from './flags.js';

/** Reads and checks files that flags name, before anything is started. */

interface FileFlags {
  seed?: string | undefined;
  'report-junit'?: string | undefined;
  artifacts?: string | undefined;
  summary?: string | undefined;
}

export interface PreparedExec {
  /** The contents of the seed, and the domains of it that the server is started with. */
  seed: { contents: Seed; domains: string[] } | undefined;
  /** The path of the artifacts' directory. */
  artifacts: string | undefined;
}

/**
 * Loads only what the flags need.
 * @throws UsageError if a file cannot be read or written: exit code 1 is that of a command that ran.
 */
export async function prepareExec(flags: FileFlags): Promise<PreparedExec> {
  try {
    return await prepared(flags);
  } catch (error) {
    throw error instanceof CommandError ? new UsageError(error.message, error.hint) : error;
  }
}

async function prepared({ seed, 'report-junit': junit, artifacts, summary }: FileFlags): Promise<PreparedExec> {
  for (const [name, path] of Object.entries({ artifacts, summary })) {
    if (path === '') throw new UsageError(`--${name} must not be empty.`);
  }
  if (junit !== undefined) prepareReportFile(junit, '--report-junit');
  const file = summary === undefined ? undefined : summaryFile(summary, process.env);
  if (file) checkOutputFile(file.file, '--summary');
  return { seed: seed === undefined ? undefined : await prepareSeed(seed), artifacts: await checkArtifacts(artifacts) };
}

/** Reads a seed. @throws UsageError or CommandError if it cannot be used. */
export async function prepareSeed(path: string): Promise<NonNullable<PreparedExec['seed']>> {
  const [{ readSeed }, { verifiedDomains }] = await Promise.all([
    import('../seed/read-seed.js'),
    import('../seed/apply-seed.js'),
  ]);
  const contents = await readSeed(path);
  return { contents, domains: verifiedDomains(contents) };
}

async function checkArtifacts(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  return (await import('./artifacts/artifact-directory.js')).checkArtifactDirectory(path);
}
